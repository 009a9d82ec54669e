import { expect, test } from 'vitest'
import { noon } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

const list = '/api/projects/1/annotations/'

test('an entry shows what was asked, what was answered, and what that changed', async () => {
  const { ask, simulator } = await start()
  await ask('PATCH', `${list}1/`, { body: { content: 'Launch' } })

  const entries = simulator.journal.find()

  expect(entries).toMatchObject([
    {
      id: 1,
      at: noon,
      operation: 'updateAnnotation',
      method: 'PATCH',
      path: `${list}1/`,
      query: {},
      key: { label: 'all', value: 'phx_…' },
      request: {
        headers: { authorization: 'Bearer phx_…', 'content-type': 'application/json' },
        body: { content: 'Launch' },
        bytes: 20,
        omitted: false,
      },
      answer: {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: { id: 1, content: 'Launch', deleted: false },
        omitted: false,
      },
      fault: null,
    },
  ])
  expect(entries[0]?.changes).toEqual([
    {
      list: 'annotations',
      id: 1,
      kind: 'changed',
      fields: {
        content: ['Release 1.0', 'Launch'],
        updated_at: ['2024-06-03T09:00:01.123470Z', noon],
      },
    },
  ])
  expect(entries[0]).not.toHaveProperty('nearest')
  expect(entries[0]?.ms).toBeGreaterThanOrEqual(0)
})

test('a row that is made has no values before, one that is taken out none after', async () => {
  const { ask, simulator } = await start()
  await ask('POST', list, { body: { content: 'New' } })
  await ask('DELETE', `/api/organizations/${simulator.defaults.organization_id}/plugins/21/`)

  const changes = simulator.journal.find().flatMap((entry) => entry.changes)

  expect(changes.map(({ list, id, kind }) => [list, id, kind])).toEqual([
    ['annotations', 9, 'created'],
    ['plugin_configs', 31, 'removed'],
    ['plugins', 21, 'removed'],
    ['activity', 43, 'created'],
  ])
  expect(changes[0]?.fields.content).toEqual([null, 'New'])
  expect(changes[2]?.fields.id).toEqual([21, null])
})

test('entries are found by operation, key, status and time; the latest of them where there is a limit', async () => {
  const { ask, simulator } = await start()
  await ask('GET', list)
  simulator.clock.advance({ minutes: 1 })
  await ask('POST', list, { body: { content: 'Launch' }, key: 'phx_annotations' })
  simulator.clock.advance({ minutes: 1 })
  await ask('POST', list, { body: { scope: 'nowhere' } })
  await ask('GET', list, { key: 'phx_unknown' })

  const find = (filter: Parameters<typeof simulator.journal.find>[0]) =>
    simulator.journal.find(filter).map(({ id }) => id)

  expect(find({})).toEqual([1, 2, 3, 4])
  expect(find({ operation: 'createAnnotation' })).toEqual([2, 3])
  expect(find({ key: 'annotation:read, annotation:write' })).toEqual([2])
  expect(find({ key: 'phx_annotations' })).toEqual([2])
  expect(find({ status: 401 })).toEqual([4])
  expect(find({ status: '4xx' })).toEqual([3, 4])
  expect(find({ since: '2024-06-15T12:01:00Z', until: '2024-06-15T12:01:59Z' })).toEqual([2])
  expect(find({ since: '2024-06-15T12:02:00Z' })).toEqual([3, 4])
  expect(find({ limit: 2 })).toEqual([3, 4])
  expect(find({ operation: 'createAnnotation', status: '2xx' })).toEqual([2])
})

test('one entry is found by its id', async () => {
  const { ask, simulator } = await start()
  await ask('GET', list)
  await ask('GET', `${list}1/`)

  expect(simulator.journal.get(2)).toMatchObject({ id: 2, operation: 'retrieveAnnotation' })
  expect(simulator.journal.get(3)).toBeUndefined()
})

test('a path that nothing describes is told with the routes nearest to it, and where it differs', async () => {
  const { ask, simulator } = await start()
  await ask('GET', '/api/projects/1/annotation/?limit=1')

  expect(simulator.journal.find({ unmatched: true })).toMatchObject([
    {
      operation: null,
      path: '/api/projects/1/annotation/',
      query: { limit: '1' },
      key: { label: 'all' },
      answer: { status: 404 },
      changes: [],
      nearest: [
        {
          route: 'GET /api/projects/:project_id/annotations',
          differs: 'segment 4: expected annotations, got annotation',
        },
        {
          route: 'POST /api/projects/:project_id/annotations',
          differs: 'segment 4: expected annotations, got annotation',
        },
        {
          route: 'GET /api/projects/:project_id/annotations/:id',
          differs: 'segment 4: expected annotations, got annotation',
        },
      ],
    },
  ])
  expect(simulator.journal.find({ unmatched: false })).toEqual([])
})

test('a method that a path does not have is told in the same way', async () => {
  const { ask, simulator } = await start()
  await ask('PUT', `${list}1/`, { body: {} })

  const [entry] = simulator.journal.find({ unmatched: true })

  expect(entry).toMatchObject({ operation: null, answer: { status: 405 } })
  expect(entry?.nearest?.[0]).toEqual({
    route: 'GET /api/projects/:project_id/annotations/:id',
    differs: 'method: expected GET, got PUT',
  })
})

test('a request that is refused is there as well, and changed nothing', async () => {
  const { ask, simulator } = await start()
  await ask('POST', list, { raw: '{"content": ', headers: { 'content-type': 'application/json' } })
  await ask('POST', list, { body: { content: 'x' }, key: null })

  expect(simulator.journal.find()).toMatchObject([
    { request: { body: '{"content": ' }, answer: { status: 400 }, changes: [] },
    { key: null, answer: { status: 401 }, changes: [] },
  ])
})

test('the journal stays when rows go back; it is cleared by hand, and numbers go on', async () => {
  const { ask, simulator } = await start()
  await ask('GET', list)
  simulator.reset()
  await ask('GET', list)
  const before = simulator.journal.find().map(({ id }) => id)

  simulator.journal.clear()
  const cleared = simulator.journal.find()
  await ask('GET', list)

  expect(before).toEqual([1, 2])
  expect(cleared).toEqual([])
  expect(simulator.journal.find().map(({ id }) => id)).toEqual([3])
})

test('each sandbox has a journal of its own', async () => {
  const { ask, simulator } = await start()
  const sandbox = simulator.sandboxes.create()
  const key = sandbox.keys[0]?.value as string
  await ask('GET', list)
  await ask('POST', list, { key, body: { content: 'Elsewhere' } })

  const inner = simulator.sandboxes.get(sandbox.id)

  expect(simulator.journal.find()).toMatchObject([{ id: 1, operation: 'listAnnotations' }])
  expect(inner?.journal.find()).toMatchObject([{ id: 1, operation: 'createAnnotation' }])
})

test('listeners are told of each entry, until they stop', async () => {
  const { ask, simulator } = await start()
  const told: unknown[] = []
  const stop = simulator.journal.follow(({ id, operation }) => told.push([id, operation]))

  await ask('GET', list)
  await ask('GET', `${list}1/`)
  stop()
  await ask('GET', list)

  expect(told).toEqual([
    [1, 'listAnnotations'],
    [2, 'retrieveAnnotation'],
  ])
})

test('a listener that fails does not harm the request', async () => {
  const reported: unknown[] = []
  const onError = (error: unknown) => void reported.push(error)
  const { ask, simulator } = await start({ onError }, { onError })
  simulator.journal.follow(() => {
    throw new Error('not mine')
  })

  expect(await ask('GET', `${list}1/`)).toMatchObject({ status: 200 })
  expect(reported).toEqual([new Error('not mine')])
})

test('a simulator can do without', async () => {
  const { ask, simulator } = await start({ journal: { entries: 0 } })
  await ask('POST', list, { body: { content: 'Launch' } })
  await ask('GET', '/api/nowhere/')

  expect(simulator.journal.find()).toEqual([])
  expect(simulator.why('annotation', 9)?.fields[0]).toEqual({
    field: 'id',
    value: 9,
    since: { entry: 1, operation: null, at: null, key: null },
  })
})
