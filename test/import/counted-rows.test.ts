import { expect, test } from 'vitest'
import { madeUpRows } from '../../src/import/made-up-rows.ts'
import { acme, annotationsPath, initech } from '../support/api/paths.ts'
import { bare, elsewhere, plugins } from '../support/api/plugins.ts'
import {
  createPage,
  createPart,
  createRow,
  exampleOrigin,
  type TrafficInput,
} from '../support/traffic.ts'
import { derive, scenarioOf } from './derive.ts'

const notFound = { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null }

test('rows that a list counted and no response showed are made up, outside of what was seen', async () => {
  const read = (query: string, ...rows: object[]) =>
    createPart(annotationsPath + query, 57, ...rows)
  const { world, warnings } = await derive(
    read('?limit=2', createRow(9, 'Nine'), createRow(8, 'Release')),
    read('?limit=2&offset=54', createRow(3, 'Three'), createRow(2, 'Two')),
    { url: `${annotationsPath}?search=release`, received: createPage(createRow(8, 'Release')) },
    { url: `${annotationsPath}1/`, status: 404, received: notFound },
  )

  const ids = world.annotations?.map(({ id }) => id) ?? []
  expect([ids.length, ids.includes(1)]).toEqual([57, false])
  expect(warnings).toEqual([
    'The list of project 1 counted 53 rows that no complete response shows. The world has 53 of them, with content that is made up.',
  ])
})

test('a search that shows rows which do not contain its words leads to no rows', async () => {
  const row = createRow(1, 'Release A')
  const { scenario, warnings } = await scenarioOf(
    { url: `${annotationsPath}?search=releases`, received: createPage(row) },
    { received: createPage(createRow(2, 'Other'), row) },
  )

  expect(scenario.world).toMatchObject({ annotations: [{ id: 1 }, { id: 2 }] })
  expect(warnings).toEqual([])
})

test('a row that a search lacks was changed beside it, and is not said to be deleted', async () => {
  const [row, before] = [createRow(5, 'Release'), createRow(4, 'Release A')]
  const search = { url: `${annotationsPath}?search=release`, received: createPage(row) }
  const { scenario } = await scenarioOf(
    ...[search, { ...search, received: createPage(row, before) }, search],
    { received: createPage(row, { ...before, content: 'Other' }) },
  )

  const change = (content: string) => ({ update: { annotations: [{ id: 4, content }] } })
  const steps = scenario.steps.map((step) => ('method' in step ? step.method : step))
  expect(steps).toEqual(['GET', change('Release A'), 'GET', change('Other'), 'GET', 'GET'])
})

const [five, four, three] = [createRow(5, 'Row 5'), createRow(4, 'Row 4'), createRow(3, 'Row 3')]
const part = (...rows: object[]) => createPart(`${annotationsPath}?limit=2`, 3, ...rows)
const found = createPart(`${annotationsPath}?limit=1&search=row`, 3, five)
const installed = [21, 22].map((id) => ({ ...bare, id }))
const list = createPart(`${plugins}?limit=2`, 2, ...installed)
const ofPlugins = (offset: number, count = 9) => {
  const rows = installed.map((row) => ({ ...row, id: row.id + offset * 9 }))
  return createPart(`${plugins}?limit=2&offset=${offset}`, count, ...rows)
}
const uninstall = { method: 'DELETE', url: `${plugins}23/`, status: 204 }
const lacking = createPart(`${plugins}?limit=2`, 1, ...installed.slice(1))

test.each<[string, TrafficInput[], string]>([
  ['moved a row behind a page', [part(five, four), part(five, three)], 'changed 1 row'],
  [
    'deleted a row of the page before that a request does not find',
    [
      createPart(`${annotationsPath}?limit=2`, 5, five, four),
      createPart(`${annotationsPath}?limit=2&offset=2`, 4, createRow(2, 'B'), createRow(1, 'A')),
      { url: `${annotationsPath}5/`, status: 404, received: notFound },
    ],
    'deleted 1 row',
  ],
  ['uninstalled a plugin that a later list lacks', [list, lacking], 'deleted 1 row'],
  ['installed a plugin that is deleted', [list, uninstall], 'added 1 row'],
  ['changed no row that has the words of a search', [part(five, four), found], ''],
  ['deleted no plugin that the client deleted', [uninstall, list], ''],
  [
    'installed one, if pages are left out',
    [ofPlugins(0, 8), ofPlugins(3), ofPlugins(7)],
    'added 1 row',
  ],
  ['changed no plugin, if pages are left out', [ofPlugins(0), ofPlugins(3), ofPlugins(6)], ''],
])('others %s', async (_, inputs, said) => {
  const others = (await derive(...inputs)).warnings.filter((text) => text.startsWith('Others'))

  expect(others.map((text) => /have (.*)\./.exec(text)?.[1]).join()).toBe(said)
})

test('rows are made up before a page that begins with rows without a date, with higher ids, and after it', async () => {
  const undated = (id: number) => createRow(id, 'Undated', { date_marker: null })
  const page = createPart(`${annotationsPath}?limit=2&offset=10`, 14, undated(30), undated(20))
  const { annotations = [] } = (await derive(page)).world
  const part = createPart(`${annotationsPath}?limit=2&offset=2`, 5, undated(30), five)
  const { world } = await derive({ ...part, url: `${annotationsPath}?limit=2&offset=0&offset=2` })
  // They have dates, since fewer ids than rows may be below it.
  const behind = await derive(createPart(`${annotationsPath}?limit=1`, 9, undated(3)))

  const before = annotations.filter((row) => row.date_marker === null && row.id > 30)
  expect([annotations.length, before.length]).toEqual([14, 10])
  expect([world.annotations?.length, behind.world.annotations?.length]).toEqual([5, 9])
})

test('no more than 10,000 rows of a list are made up', () => {
  const taken = new Set<number>()
  const rows = { list: 'annotations', created: taken, missing: taken }
  const [ids, replay] = [{ shown: taken, taken }, { rowOf() {} }]
  const known = { request: { terms: [], rows: [] }, rows, ids, replay } as never
  const madeUp = (count: number) =>
    madeUpRows({ rows: [], place: 'front', count } as never, known).length

  expect([madeUp(10_000), madeUp(10_001)]).toEqual([10_000, 0])
})

test('rows that only a search counted have its words', async () => {
  const { world } = await derive(
    createPart(`${annotationsPath}?limit=1&search=nine`, 2, createRow(9, 'Nine')),
  )

  expect(world.annotations?.map(({ content }) => content)).toEqual(['nine', 'Nine'])
})

test('a plugin that somebody installed between two pages has a name', async () => {
  const row = (id: number) => ({ ...bare, id, name: `Plugin ${id}` })
  const { scenario, warnings } = await derive(
    createPart(`${plugins}?limit=1`, 1, row(9)),
    createPart(`${elsewhere}?limit=1&search=x`, 2, { ...row(21), organization_id: initech }),
    createPart(`${elsewhere}?limit=1&offset=1`, 3, { ...row(22), organization_id: initech }),
  )

  const plugin = { id: 23, name: 'Not shown in the traffic', organization: initech }
  expect(scenario.steps[2]).toEqual({ rows: { plugins: [plugin] } })
  expect(warnings.at(-1)).toBe('Made up, because no response shows it: plugin 23.')
})

test('plugins that two organizations counted, and annotations that two projects counted, are made up in each', async () => {
  const ofOther = annotationsPath.replace('1', '2')
  const part = (url: string, count: number, row: object) => createPart(`${url}?limit=1`, count, row)

  const installed = await derive(
    part(plugins, 2, { ...bare, id: 21 }),
    part(elsewhere, 3, { ...bare, id: 31, organization_id: initech }),
  )
  const created = await derive(
    part(annotationsPath, 2, createRow(9, 'Nine')),
    part(ofOther, 3, createRow(8, 'Eight')),
  )

  const sentence = (list: string, count: number, rows: string) =>
    `The list of ${list} counted ${count} ${rows} that no complete response shows. The world has ${count} of them, with content that is made up.`
  expect([installed.warnings, created.warnings]).toEqual([
    [sentence(`organization ${acme}`, 1, 'row'), sentence(`organization ${initech}`, 2, 'rows')],
    [sentence('project 1', 1, 'row'), sentence('project 2', 2, 'rows')],
  ])
})

test('pages show global plugins of other organizations, and one between them is made up', async () => {
  const global = { ...bare, is_global: true }
  const page = (offset: number, id: number, organization_id: string) =>
    createPart(`${plugins}?limit=1&offset=${offset}`, 3, { ...global, id, organization_id })
  const { world, found, warnings } = await derive(page(0, 21, initech), page(2, 29, acme))

  expect(found.profile).toBe('live')
  expect(world.plugins?.map(({ id }) => id)).toEqual([21, 22, 29])
  expect(warnings).toHaveLength(1)
})

test.each([{ content: 'New' }, { deleted: false }])(
  'others deleted an annotation that a list lacks, even if a later request finds it: %o',
  async (sent) => {
    const row = createRow(4, 'Release')
    const change = { method: 'PATCH', url: `${annotationsPath}4/`, sent }
    const { scenario } = await derive(
      { received: createPage(createRow(5, 'Five'), row) },
      { received: createPage(createRow(5, 'Five')) },
      { ...change, received: { ...row, deleted: true, ...sent } },
    )

    const deletion = { update: { annotations: [{ id: 4, deleted: true }] } }
    expect(scenario.steps).toMatchObject([{}, deletion, { method: 'GET' }, { method: 'PATCH' }])
  },
)

const firstPage = (next: string) => ({
  url: `${annotationsPath}?limit=2`,
  received: { ...createPage(createRow(4, 'D'), createRow(3, 'C')), count: 4, next },
})
const second = `${annotationsPath}?limit=2&offset=2`

test('rows beyond a maximum that no simulator has are named, although the world lacks them', async () => {
  const other = createRow(5, 'E', { date_marker: null, scope: 'dashboard_item' })
  const { url, received } = firstPage(exampleOrigin + second)
  const { warnings } = await scenarioOf(
    { url: url.replace('limit=2', 'limit=200'), received },
    { method: 'POST', sent: { content: 'E' }, status: 201, received: other },
  )

  expect(warnings).toEqual([
    'The list of project 1 counted 2 rows that no complete response shows. The world has none of them.',
  ])
})

test.each(['http://web:8000', 'http://api.example.com'])(
  'links of pages that lead to %s are named once',
  async (elsewhere) => {
    const last = createPage(createRow(2, 'B'), createRow(1, 'A'))
    const rest = { url: second, received: { ...last, count: 4, previous: `${elsewhere}/api/` } }
    const { warnings, scenario } = await scenarioOf(firstPage(elsewhere + second), rest)

    expect(warnings).toEqual([
      `Links of pages lead to ${elsewhere}, and the requests went to ${exampleOrigin}: a client that follows them leaves the service.`,
    ])
    const next = { $saved: `{base_url}${second}` }
    expect(scenario.steps[0]).toMatchObject({ expect: { exact_body: { next } } })
  },
)
