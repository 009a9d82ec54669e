import { expect, test } from 'vitest'
import { toReplaying } from '../../src/import/answers.ts'
import { importExchanges } from '../../src/import/import-exchanges.ts'
import { createSimulator } from '../../src/index.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { bare, plugins } from '../support/api/plugins.ts'
import { createPage, createRow, createTraffic, type TrafficInput } from '../support/traffic.ts'
import { incidentOf } from './derive.ts'

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
const listed = { received: createPage(createRow(4, 'Deploy')) }
const changed = createRow(4, 'After', { updated_at: '2024-06-15T12:00:01Z' })
const last = { ...changed, content: 'Last', updated_at: '2024-06-15T12:00:02.4Z' }
const change: TrafficInput = { method: 'PATCH', url, sent: { content: 'After' }, received: changed }

test.each<[title: string, order: readonly string[], inputs: readonly TrafficInput[]]>([
  [
    'a list that shows a row which was created meanwhile',
    ['create 5', 'list', 'list'],
    [
      { received: createPage(created(5)), ms: 1_900 },
      { ...create(5), ms: 10 },
      { received: createPage(created(5)) },
    ],
  ],
  [
    'a list that began during a create and does not show its row',
    ['list', 'create 5', 'list'],
    [
      { ...create(5), ms: 1_500 },
      listed,
      { received: createPage(created(5), createRow(4, 'Deploy')) },
    ],
  ],
  [
    'a read that began during a change and does not show it',
    ['list', 'read', 'change', 'read'],
    [
      { received: createPage(createRow(4, 'Before')) },
      { ...change, ms: 1_500 },
      { url, received: createRow(4, 'Before') },
      { url, received: changed },
    ],
  ],
  [
    'a read during a create, of a row that others changed before',
    ['list', 'create 5', 'change of others', 'read'],
    [listed, { ...create(5), ms: 1_500 }, { url, received: changed }],
  ],
  [
    'creates that overlap, in the order of the ids of their rows',
    ['create 5', 'create 6', 'create 7'],
    [{ ...create(6), ms: 1_500 }, create(5), create(7)],
  ],
  [
    'updates of a row at once, in the order of its times',
    ['list', 'change', 'change', 'read'],
    [
      listed,
      { ...change, sent: { content: 'Last' }, received: last, ms: 1_500 },
      { ...change, ms: 10 },
      { url, received: last },
    ],
  ],
  [
    'creates that do not overlap, in their order',
    ['create 6', 'create 5'],
    [{ ...create(6), ms: 10 }, create(5)],
  ],
  [
    'a search that began during a create and does not show its row',
    ['create 5', 'search'],
    [
      { ...create(5), ms: 1_500 },
      { ...listed, url: `${annotationsPath}?search=deploy` },
    ],
  ],
  [
    'a list of plugins with the id of an annotation that was created meanwhile',
    ['list', 'create 5'],
    [{ url: plugins, received: createPage(pluginRow(5)), ms: 1_900 }, create(5)],
  ],
])(
  'requests are in the order in which the service carried them out: %s',
  async (_, order, inputs) => {
    const imported = await importExchanges(createTraffic(...inputs), {})
    const { scenario } = await toReplaying(imported, imported.scenario)

    const requests = scenario.steps.flatMap((step) => {
      const isRecorded = JSON.stringify(step).includes('"status"')
      if ('fault' in step) return isRecorded ? 'recorded' : []
      if (!('method' in step)) return 'change of others'
      if (step.method === 'POST') return `create ${/\d+/.exec(JSON.stringify(step.body))}`
      if (step.method === 'PATCH') return 'change'
      if (step.query || step.path.includes('?')) return 'search'
      return [annotationsPath, plugins].includes(step.path) ? 'list' : 'read'
    })
    expect(requests).toEqual(order)
    expect((await createSimulator().run(scenario)).passed).toBe(true)
  },
)

test.each([
  ['backwards', [3, 2, 1, 0]],
  ['by URL', [2, 3, 0, 1]],
] as const)('requests of one time, %s, are in the order of their responses', async (_, order) => {
  const times = { created_at: '2024-06-15T12:00:00.1Z', updated_at: '2024-06-15T12:00:00.1Z' }
  const row = { ...created(4), ...times, content: 'After', updated_at: '2024-06-15T12:00:00.2Z' }
  const traffic = createTraffic(
    { received: createPage(createRow(3, 'Old')) },
    { ...create(4), received: { ...created(4), ...times } },
    { ...change, received: row },
    { url, received: row },
  )
  const { at } = traffic[0] as { at: string }
  const mixed = order.map((index) => ({ ...(traffic[index] as (typeof traffic)[0]), at }))

  const { scenario } = await importExchanges(mixed as typeof traffic, {})

  const methods = scenario.steps.map((step) => ('method' in step ? step.method : 'change'))
  expect(methods).toEqual(['GET', 'POST', 'PATCH', 'GET'])
})

test('an update that overtook an older one is what a test wants, and its row is that of a create without a response', async () => {
  const created_at = '2024-06-15T12:00:00Z'
  const [first, second] = ['La', 'After'].map((content, index) => {
    const received = { ...(index ? changed : last), content, created_at }
    return { ...change, sent: { content }, received, ms: index ? 2 : 1_500 }
  }) as [TrafficInput, TrafficInput]
  const { date_marker, scope } = Object(changed)
  const lost = { method: 'POST', sent: { content: '', date_marker, scope }, status: 201 }
  const { scenario } = await importExchanges(createTraffic(lost, first, second))

  const { test } = await incidentOf(scenario)

  expect(scenario.world).not.toHaveProperty('annotations')
  const fault = { phase: 'before', body: { content: 'La' }, effect: { delay_ms: 1_000 } }
  expect(test.faults.at(-1)).toMatchObject(fault)
  expect(test.expect).toMatchObject([{ rows: { where: { id: 4, content: 'After' }, count: 1 } }])
})

test.each([
  ['another field was not overtaken', { scope: 'project' }, []],
  ['another value, sent before the response to the last one, is named', { content: 'La' }, [2]],
])('of two updates that overlap, one of %s', async (_, sent, named) => {
  const row = { content: 'After', created_at: '2024-06-15T12:00:00Z' }
  const [early, late] = named.length > 0 ? [changed, last] : [last, changed]
  const first = { ...change, sent, received: { ...early, ...row, ...sent }, ms: 2_500 }
  const second = { ...change, received: { ...late, ...row }, ms: 2 }
  const { scenario, doubled, warnings } = await importExchanges(createTraffic(first, second))

  const { faults } = (await incidentOf(scenario, doubled)).test
  expect([doubled, faults, warnings.flatMap(({ steps }) => steps)]).toEqual([[], [], named])
})

test.each<[why: string, content: string, ids: number[], other?: string]>([
  ['a sanitizer gave each row one text', 'text', [5, 6]],
  ['the client wanted three rows', 'Other', [5, 6, 7]],
  ['each is of another project', 'Other', [5, 6], annotationsPath.replace('1', '2')],
])('creates are not sent twice that are equal because %s', async (_, content, ids, other) => {
  const creates = ids.map((id) => {
    const own = { ...create(5), ...(id === 6 && other && { url: other }) }
    return { ...own, sent: { content: 'text' }, received: createRow(id, 'text') }
  })
  const traffic = createTraffic({ received: createPage(createRow(4, content)) }, ...creates)

  expect((await importExchanges(traffic)).doubled).toEqual([])
})

test.each<object>([{}, { bearer: undefined }])(
  'a client that sends two requests at once may get two 401s, also if an export hides its key: %o',
  async (hidden) => {
    const received = { code: 'authentication_failed' }
    const refused = { ...hidden, status: 401, received, ms: 1_500 }
    const traffic = createTraffic({ ...listed, ...hidden }, refused, { ...refused, url })
    const { scenario, doubled } = await importExchanges(traffic)

    const { test } = await incidentOf(scenario, doubled)

    expect(test.expect).toMatchObject([{ received: { status: 401, at_most: 2 } }])
  },
)
