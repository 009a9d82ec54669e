import { expect, test } from 'vitest'
import { operations } from '../../../src/control/operations.ts'
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
