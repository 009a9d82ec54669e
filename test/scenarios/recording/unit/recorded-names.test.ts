import { expect, test } from 'vitest'
import { RecordedClock } from '../../../../src/scenarios/recording/recorder.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { recordExchanges, recordSteps } from '../../../support/scenarios/exchanges.ts'

test('a key without a label is not named like a labelled key', () => {
  const { scenario } = recordExchanges([{ bearer: 'phx_other_0123456' }], {
    keys: { 'key-1': 'phx_mine_01234567' },
  })

  expect(scenario.steps).toMatchObject([{ as: 'key-2' }])
})

test('a JSON body refers to an id of an earlier response by its saved name', () => {
  const [created, configured] = recordSteps([
    { method: 'POST', url: '/api/plugins/', sent: {}, status: 201, received: { id: 7 } },
    { method: 'POST', url: '/api/plugin_configs/', sent: { plugin_id: 7, order: 1 }, received: {} },
  ])

  expect(created?.save).toEqual({ plugin_id: '/id' })
  expect(configured?.body).toEqual({ plugin_id: { $saved: 'plugin_id' }, order: 1 })
})

test('rows without references that are created between two requests are one step', async () => {
  const simulator = createSimulator()
  simulator.world.organizations.create({ name: 'One' })
  simulator.world.organizations.create({ name: 'Two' })
  await simulator.fetch('/api/projects/')

  const { scenario } = simulator.record({ world: 'default' })

  expect(scenario.steps).toMatchObject([
    { rows: { organizations: [{ name: 'One' }, { name: 'Two' }] } },
    { path: '/api/projects/' },
  ])
})

test('a key in a body is named by its label, and not recorded', () => {
  const [step] = recordSteps(
    [{ method: 'POST', sent: { personal_api_key: 'phx_mine_0123456', content: 'Launch' } }],
    { keys: { writer: 'phx_mine_0123456' } },
  )

  expect(step).toMatchObject({ as: 'writer', body: { content: 'Launch' } })
  expect(JSON.stringify(step)).not.toContain('personal_api_key')
})

test('the clock of a recording follows its steps, and moves only if it is frozen', () => {
  const clock = new RecordedClock(null)
  const times = [
    { clock: '2024-06-01T01:00:00Z' },
    { policies: {} },
    { clock: { mode: 'ticking', time: '2025-01-01T00:00:00Z' } as const },
    { clock: '2024-06-01T02:00:00Z' },
    { clock: 'real' },
  ].map((step) => {
    clock.apply(step)
    return clock.time
  })

  expect(times).toEqual([
    '2024-06-01T01:00:00Z',
    '2024-06-01T01:00:00Z',
    null,
    '2024-06-01T02:00:00Z',
    null,
  ])
  expect(clock.moveTo(0)).toBe(null)
  const frozen = new RecordedClock(0)
  expect([frozen.moveTo(0), frozen.moveTo(1000), frozen.moveTo(1000)]).toEqual([
    null,
    { clock: '1970-01-01T00:00:01Z' },
    null,
  ])
})
