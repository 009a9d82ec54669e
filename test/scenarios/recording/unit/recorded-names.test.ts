import { expect, test } from 'vitest'
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
