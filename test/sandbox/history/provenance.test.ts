import { expect, test, vi } from 'vitest'
import type { RowProvenance } from '../../../src/sandbox/history/provenance.ts'
import type { Simulator } from '../../../src/simulator.ts'
import { rowFormats } from '../../../src/world/edit/row-formats.ts'
import { noon } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

const list = '/api/projects/1/annotations/'
const all = { label: 'all', value: 'phx_…' }

/** Where each field of a row comes from, by its name. */
function sinces(explanation: RowProvenance | undefined): Record<string, unknown> {
  return Object.fromEntries((explanation?.fields ?? []).map(({ field, since }) => [field, since]))
}

test('each field of a row tells which request it comes from', async () => {
  const { ask, simulator } = await start()
  await ask('PATCH', `${list}3/`, { body: { content: 'One' } })
  await ask('PATCH', `${list}3/`, { body: { scope: 'project' }, key: 'phx_annotations' })
  await ask('GET', `${list}3/`)

  const explanation = simulator.why('annotation', 3)

  const by = { label: 'annotation:read, annotation:write', value: 'phx_…' }
  const first = { entry: 1, operation: 'updateAnnotation', at: noon, key: all }
  const second = { entry: 2, operation: 'updateAnnotation', at: noon, key: by }
  expect(explanation).toMatchObject({
    list: 'annotations',
    id: 3,
    row: { id: 3, content: 'One', scope: 'project' },
    removed: null,
  })
  expect(explanation?.fields.find(({ field }) => field === 'content')?.value).toBe('One')
  expect(sinces(explanation)).toMatchObject({
    id: 'the beginning',
    content: first,
    scope: second,
    deleted: 'the beginning',
  })
})

test('a row that was made tells it of each of its fields', async () => {
  const { ask, simulator } = await start()
  await ask('POST', list, { body: { content: 'New' } })

  const made = { entry: 1, operation: 'createAnnotation', at: noon, key: all }

  const explanation = simulator.why('annotations', 9)

  expect(explanation?.row).toMatchObject({ id: 9, content: 'New' })
  for (const { field, since } of explanation?.fields ?? []) expect(since, field).toEqual(made)
})

test('a row that was deleted softly is there; one that was taken out tells what it was', async () => {
  const { ask, simulator } = await start()
  await ask('PATCH', `${list}1/`, { body: { deleted: true } })
  simulator.world.annotations.update(2, { content: 'Last words' })
  simulator.world.annotations.delete(2)

  const soft = simulator.why('annotation', 1)
  const hard = simulator.why('annotation', 2)

  expect(soft).toMatchObject({ row: { deleted: true }, removed: null })
  expect(sinces(soft).deleted).toMatchObject({ entry: 1, operation: 'updateAnnotation' })
  expect(hard).toMatchObject({ row: null, removed: { edit: 'world' } })
  expect(hard?.fields.find(({ field }) => field === 'content')).toEqual({
    field: 'content',
    value: 'Last words',
    since: { edit: 'world' },
  })
  expect(sinces(hard).scope).toBe('the beginning')
})

test('a second actor is told by its id', async () => {
  const { ask, simulator } = await start()
  const { id } = simulator.actors.add({
    after: { operation: 'listAnnotations' },
    steps: [{ update: 'annotations', id: 1, changes: { content: 'Not mine' } }],
  })
  await ask('GET', list)

  expect(sinces(simulator.why('annotation', 1)).content).toEqual({ actor: id })
  expect(simulator.journal.find()[0]?.changes).toEqual([])
})

test('an entry that is no longer kept is told by its number', async () => {
  const { ask, simulator } = await start({ journal: { entries: 1 } })
  await ask('PATCH', `${list}1/`, { body: { content: 'One' } })
  await ask('GET', list)

  expect(sinces(simulator.why('annotation', 1)).content).toEqual({
    entry: 1,
    operation: null,
    at: null,
    key: null,
  })
})

test('rows that go back begin anew', async () => {
  const { ask, simulator } = await start()
  await ask('PATCH', `${list}1/`, { body: { content: 'One' } })
  simulator.reset()

  expect(new Set(Object.values(sinces(simulator.why('annotation', 1))))).toEqual(
    new Set(['the beginning']),
  )
})

test('every list can be asked for, by its name or by that of one row', async () => {
  const { simulator } = await start()
  const { organization_id } = simulator.defaults
  const found = ([resource, id]: readonly [string, string | number]) =>
    simulator.why(resource, id)?.list

  const asked = [
    ['plugin', 21],
    ['plugins', '21'],
    ['project', 1],
    ['user', 1],
    ['organization', organization_id],
    ['dashboard_item', 10],
    ['key', 'phx_all'],
  ] as const

  expect(asked.map(found)).toEqual([
    'plugins',
    'plugins',
    'projects',
    'users',
    'organizations',
    'dashboard_items',
    'keys',
  ])
})

test('what never was has no history, and an unknown list is an error', async () => {
  const { simulator } = await start()
  const why = (name: string) => (): Simulator['why'] | unknown => simulator.why(name, 1)

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

test.each(['3', '03', '3.0', 3])('the row %j is found with its changes', async (id) => {
  const { ask, simulator } = await start()
  await ask('PATCH', `${list}3/`, { body: { content: 'One' } })

  const explanation = simulator.why('annotation', id)

  expect(explanation?.id).toBe(3)
  expect(sinces(explanation).content).toMatchObject({ entry: 1 })
})

test('a text that only looks like two keys is told with the last that was written', async () => {
  const { ask, simulator } = await start()
  const [one, other] = ['phx_oneKeyOneKeyOneKey1234', 'phx_otherKeyOtherKeyOther1234']
  await ask('PATCH', `${list}3/`, { body: { content: one } })
  await ask('PATCH', `${list}3/`, { body: { content: other } })

  expect(sinces(simulator.why('annotation', 3)).content).toMatchObject({ entry: 2 })
})

test('changes are written out once, not for each field', async () => {
  const { simulator } = await start()
  for (let count = 0; count < 1_000; count++) {
    simulator.world.annotations.update(1, { content: String(count) })
  }
  const written = vi.spyOn(rowFormats.annotations, 'toJson')

  const explanation = simulator.why('annotation', 1)

  expect(sinces(explanation)).toMatchObject({ id: 'the beginning', content: { edit: 'world' } })
  expect(written.mock.calls.length).toBeLessThan(1_010)
  written.mockRestore()
})
