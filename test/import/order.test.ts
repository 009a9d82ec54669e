import { expect, test } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { bare, plugins } from '../support/api/plugins.ts'
import { createPage, createRow, createTraffic, type TrafficInput } from '../support/traffic.ts'
import { deriveFrom } from './derive.ts'

const url = `${annotationsPath}4/`
const created = (id: number) =>
  createRow(id, `Row ${id}`, { date_marker: null, scope: 'dashboard_item' })
const create = (id: number): TrafficInput => ({
  method: 'POST',
  sent: { content: `Row ${id}` },
  status: 201,
  received: created(id),
})
const pluginRow = (id: number) => ({ ...bare, plugin_type: 'source', name: `Plugin ${id}`, id })
const install = (id: number): TrafficInput => {
  const received = pluginRow(id)
  const { plugin_type, name } = received
  return { method: 'POST', url: plugins, sent: { plugin_type, name }, status: 201, received }
}
const listed = { received: createPage(createRow(4, 'Deploy')) }
const changed = createRow(4, 'After', { updated_at: '2024-06-15T12:00:01Z' })
const change: TrafficInput = { method: 'PATCH', url, sent: { content: 'After' }, received: changed }

test.each<[title: string, order: readonly string[], inputs: readonly TrafficInput[]]>([
  [
    'a list that shows a row which was created meanwhile comes after the create',
    ['create 5', 'list'],
    [
      { received: createPage(created(5)), ms: 1_900 },
      { ...create(5), ms: 10 },
    ],
  ],
  [
    'a list that began during a create and does not show its row comes first',
    ['list', 'create 5'],
    [{ ...create(5), ms: 1_500 }, listed],
  ],
  [
    'a read that began during a change and does not show it comes first',
    ['list', 'read', 'change', 'read'],
    [
      { received: createPage(createRow(4, 'Before')) },
      { ...change, ms: 1_500 },
      { url, received: createRow(4, 'Before') },
      { url, received: changed },
    ],
  ],
  [
    'creates that overlap are in the order of the ids of their rows',
    ['create 5', 'create 6', 'create 7'],
    [{ ...create(6), ms: 1_500 }, create(5), create(7)],
  ],
  [
    'creates of plugins that overlap are in the order of their ids, too',
    ['create 25', 'create 26'],
    [{ ...install(26), ms: 1_500 }, install(25)],
  ],
  [
    'a list that shows a plugin which was created meanwhile comes after the create',
    ['create 25', 'list'],
    [
      { url: plugins, received: createPage(pluginRow(25)), ms: 1_900 },
      { ...install(25), ms: 10 },
    ],
  ],
  [
    'a read that began before a change and shows it comes after it',
    ['change', 'read'],
    [
      { url, received: changed, ms: 1_900 },
      { ...change, ms: 10 },
    ],
  ],
  [
    'creates that do not overlap keep their order',
    ['create 6', 'create 5'],
    [{ ...create(6), ms: 10 }, create(5)],
  ],
  [
    'a list that began when a create ended comes after it',
    ['create 5', 'delete', 'list'],
    [{ ...create(5), ms: 1_000 }, listed],
  ],
  [
    'a search that began during a create and does not show its row may lack its words',
    ['create 5', 'search'],
    [
      { ...create(5), ms: 1_500 },
      { ...listed, url: `${annotationsPath}?search=deploy` },
    ],
  ],
  [
    'a list of plugins with the id of an annotation that was created meanwhile keeps its place',
    ['list', 'create 5'],
    [{ url: plugins, received: createPage(pluginRow(5)), ms: 1_900 }, create(5)],
  ],
])('%s', async (_title, order, inputs) => {
  const { scenario } = await deriveFrom(createTraffic(...inputs))

  const requests = scenario.steps.map((step) => {
    if (!('method' in step)) return 'update' in step ? 'delete' : step
    if (step.method === 'POST') return `create ${/\d+/.exec(JSON.stringify(step.body))}`
    if (step.method === 'PATCH') return 'change'
    if (step.query || step.path.includes('?')) return 'search'
    return [annotationsPath, plugins].includes(step.path) ? 'list' : 'read'
  })
  expect(requests).toEqual(order)
})
