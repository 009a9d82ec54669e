import { expect, test, vi } from 'vitest'
import type { RowProvenance } from '../../../src/sandbox/history/provenance.ts'
import { toRowJson } from '../../../src/world/edit/row-json.ts'
import { annotationsPath, noon } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

vi.mock('../../../src/world/edit/row-json.ts', { spy: true })
const all = { label: 'all', value: 'phx_…' }

/** The source of each field. */
function sourcesOf(provenance: RowProvenance | undefined): Record<string, unknown> {
  return Object.fromEntries((provenance?.fields ?? []).map(({ field, since }) => [field, since]))
}

test('why names the request that wrote each field', async () => {
  const { ask, simulator } = await start()
  await ask('PATCH', `${annotationsPath}3/`, { body: { content: 'One' } })
  await ask('PATCH', `${annotationsPath}3/`, { body: { scope: 'project' }, key: 'phx_annotations' })
  await ask('GET', `${annotationsPath}3/`)

  const provenance = simulator.why('annotation', 3)

  const by = { label: 'annotations', value: 'phx_…' }
  const first = { entry: 1, operation: 'updateAnnotation', at: noon, key: all }
  const second = { entry: 2, operation: 'updateAnnotation', at: noon, key: by }
  expect(provenance).toMatchObject({
    list: 'annotations',
    id: 3,
    row: { id: 3, content: 'One', scope: 'project' },
    removed: null,
  })
  expect(provenance?.fields.find(({ field }) => field === 'content')?.value).toBe('One')
  expect(sourcesOf(provenance)).toMatchObject({
    id: 'initial',
    content: first,
    scope: second,
    deleted: 'initial',
  })
})

test('why names the creating request for all fields of a new row', async () => {
  const { ask, simulator } = await start()
  await ask('POST', annotationsPath, { body: { content: 'New' } })

  const creation = { entry: 1, operation: 'createAnnotation', at: noon, key: all }

  const provenance = simulator.why('annotations', 9)

  expect(provenance?.row).toMatchObject({ id: 9, content: 'New' })
  for (const { field, since } of provenance?.fields ?? []) expect(since, field).toEqual(creation)
})

test('why finds a row that is marked as deleted, and shows the last state of a removed row', async () => {
  const { ask, simulator } = await start()
  await ask('PATCH', `${annotationsPath}1/`, { body: { deleted: true } })
  simulator.world.annotations.update(2, { content: 'Last words' })
  simulator.world.annotations.delete(2)

  const soft = simulator.why('annotation', 1)
  const hard = simulator.why('annotation', 2)

  expect(soft).toMatchObject({ row: { deleted: true }, removed: null })
  expect(sourcesOf(soft).deleted).toMatchObject({ entry: 1, operation: 'updateAnnotation' })
  expect(hard).toMatchObject({ row: null, removed: { edit: 'world' } })
  expect(hard?.fields.find(({ field }) => field === 'content')).toEqual({
    field: 'content',
    value: 'Last words',
    since: { edit: 'world' },
  })
  expect(sourcesOf(hard).scope).toBe('initial')
})

test('why names a request by its id only once its entry was evicted', async () => {
  const { ask, simulator } = await start({ journal: { entries: 1 } })
  await ask('PATCH', `${annotationsPath}1/`, { body: { content: 'One' } })
  await ask('GET', annotationsPath)

  expect(sourcesOf(simulator.why('annotation', 1)).content).toEqual({
    entry: 1,
    operation: null,
    at: null,
    key: null,
  })
})

test('after a reset, all fields come from the beginning', async () => {
  const { ask, simulator } = await start()
  await ask('PATCH', `${annotationsPath}1/`, { body: { content: 'One' } })
  simulator.reset()

  expect(new Set(Object.values(sourcesOf(simulator.why('annotation', 1))))).toEqual(
    new Set(['initial']),
  )
})

test('why accepts the name of a list and its singular', async () => {
  const { simulator } = await start()
  const { organization_id } = simulator.defaults
  const rows = [
    ['plugin', 21],
    ['plugins', '21'],
    ['project', 1],
    ['user', 1],
    ['organization', organization_id],
    ['dashboard_item', 10],
    ['key', 'phx_all'],
  ] as const

  expect(rows.map(([resource, id]) => simulator.why(resource, id)?.list)).toEqual([
    'plugins',
    'plugins',
    'projects',
    'users',
    'organizations',
    'dashboard_items',
    'keys',
  ])
})

test('why returns undefined for an unknown row, and rejects an unknown list', async () => {
  const { simulator } = await start()
  const why = (name: string) => (): unknown => simulator.why(name, 1)

  expect(simulator.why('annotation', 99)).toBeUndefined()
  expect(simulator.why('annotation', 'abc')).toBeUndefined()
  expect(why('anotation')).toThrowError(
    expect.objectContaining({
      field: 'resource',
      message:
        'Failed to explain a row: expected one of organizations, projects, users, keys, dashboard_items, ' +
        'plugins, plugin_configs, repository, annotations, activity, got "anotation". Did you mean annotation?',
    }),
  )
})

test.each(['3', '03', '3.0', 3])('why finds a row by the id %j', async (id) => {
  const { ask, simulator } = await start()
  await ask('PATCH', `${annotationsPath}3/`, { body: { content: 'One' } })

  const provenance = simulator.why('annotation', id)

  expect(provenance?.id).toBe(3)
  expect(sourcesOf(provenance).content).toMatchObject({ entry: 1 })
})

test('why compares keys before they are masked', async () => {
  const { ask, simulator } = await start()
  const [one, other] = ['phx_oneKeyOneKeyOneKey1234', 'phx_otherKeyOtherKeyOther1234']
  await ask('PATCH', `${annotationsPath}3/`, { body: { content: one } })
  await ask('PATCH', `${annotationsPath}3/`, { body: { content: other } })

  expect(sourcesOf(simulator.why('annotation', 3)).content).toMatchObject({ entry: 2 })
})

test('each change is converted once, not once per field', async () => {
  const { simulator } = await start()
  for (let count = 0; count < 1_000; count++) {
    simulator.world.annotations.update(1, { content: String(count) })
  }
  vi.mocked(toRowJson).mockClear()

  const provenance = simulator.why('annotation', 1)

  expect(sourcesOf(provenance)).toMatchObject({ id: 'initial', content: { edit: 'world' } })
  expect(vi.mocked(toRowJson).mock.calls.length).toBeLessThan(1_010)
})
