import { expect, test } from 'vitest'
import { operations } from '../../../src/control/operations.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { serve } from '../../support/transports/start.ts'

const names: readonly string[] = Object.keys(operations)
const replaceable = names
  .filter((operation) => operation.startsWith('PUT '))
  .map((operation) => operation.replace('PUT ', ''))
  .filter((path) => names.includes(`GET ${path}`))
  .map((path) => `/__admin${path}`)

test.each(replaceable)(
  'what GET %s returns, PUT accepts, and the state stays the same',
  async (path) => {
    const { control, simulator } = await serve({ clock: '2024-06-01T00:00:00.5Z' })
    simulator.world.add({ annotations: [{ content: 'Added 🦔' }] })
    simulator.snapshots.save('mine')
    simulator.world.annotations.delete(1)
    const state = () => ({
      world: simulator.world.toJSON(),
      snapshots: simulator.snapshots.list(),
      clock: simulator.clock.read(),
    })

    const before = state()
    const { body } = await control('GET', path)
    const replaced = await control('PUT', path, { body })

    expect(replaced.status).toBe(200)
    expect(state()).toEqual(before)
    expect((await control('GET', path)).body).toEqual(body)
  },
)

test.each(['real', 'frozen', 'ticking'] as const)(
  'a clock in mode %s keeps it when its reading is sent back',
  async (mode) => {
    const time = mode === 'real' ? {} : { now: '2020-01-01' }
    const { control, simulator } = await serve({ clock: { mode, ...time } })
    const copy = createSimulator({ clock: simulator.clock.read() })

    const { body } = await control('GET', '/__admin/clock')
    const replaced = await control('PUT', '/__admin/clock', { body })

    const { now } = body as { now: string }
    const start_s = now.slice(0, 15)
    expect(replaced).toMatchObject({ status: 200, body: { mode } })
    for (const { clock } of [simulator, copy]) {
      expect.soft(clock.mode).toBe(mode)
      expect.soft(clock.iso().slice(0, 15)).toBe(start_s)
    }
  },
)

test('a clock can be set by now, as its reading has it', async () => {
  const { control } = await serve()

  const set = await control('PUT', '/__admin/clock', { body: { now: '2030-01-01' } })

  expect(set).toEqual({ status: 200, body: { mode: 'frozen', now: '2030-01-01T00:00:00Z' } })
})
