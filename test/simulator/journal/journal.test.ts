import { expect, test } from 'vitest'
import { annotationsPath, noon } from '../../support/api/paths.ts'
import { collectErrors } from '../../support/errors.ts'
import { start } from '../../support/lanes/start.ts'

test('an entry shows the request, the response and the changed rows', async () => {
  const { ask, simulator } = await start()
  await ask('PATCH', `${annotationsPath}1/`, { body: { content: 'Launch' } })

  const entries = simulator.journal.find()

  expect(entries).toMatchObject([
    {
      id: 1,
      at: noon,
      operation: 'updateAnnotation',
      method: 'PATCH',
      path: `${annotationsPath}1/`,
      query: {},
      key: { label: 'all', value: 'phx_…' },
      request: {
        headers: { authorization: 'Bearer phx_…', 'content-type': 'application/json' },
        body: { content: 'Launch' },
        bytes: 20,
        omitted: false,
      },
      response: {
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

test('a created row has no old values, a removed row no new ones', async () => {
  const { ask, simulator } = await start()
  await ask('POST', annotationsPath, { body: { content: 'New' } })
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

test('find filters by operation, key, status and time, and a limit returns the latest entries', async () => {
  const { ask, simulator } = await start()
  await ask('GET', annotationsPath)
  simulator.clock.advance({ minutes: 1 })
  await ask('POST', annotationsPath, { body: { content: 'Launch' }, key: 'phx_annotations' })
  simulator.clock.advance({ minutes: 1 })
  await ask('POST', annotationsPath, { body: { scope: 'nowhere' } })
  await ask('GET', annotationsPath, { key: 'phx_unknown' })

  const find = (filter: Parameters<typeof simulator.journal.find>[0]) =>
    simulator.journal.find(filter).map(({ id }) => id)

  expect(find({})).toEqual([1, 2, 3, 4])
  expect(find({ operation: 'createAnnotation' })).toEqual([2, 3])
  expect(find({ key: 'annotations' })).toEqual([2])
  expect(find({ key: 'phx_annotations' })).toEqual([2])
  expect(find({ status: 401 })).toEqual([4])
  expect(find({ status: '4xx' })).toEqual([3, 4])
  expect(find({ since: '2024-06-15T12:01:00Z', until: '2024-06-15T12:01:59Z' })).toEqual([2])
  expect(find({ since: '2024-06-15T12:02:00Z' })).toEqual([3, 4])
  expect(find({ limit: 2 })).toEqual([3, 4])
  expect(find({ operation: 'createAnnotation', status: '2xx' })).toEqual([2])
})

test('find finds the requests that changed a row', async () => {
  const { ask, simulator } = await start()
  await ask('POST', annotationsPath, { body: { content: 'Launch' } })
  await ask('GET', `${annotationsPath}9/`)
  await ask('PATCH', `${annotationsPath}9/`, { body: { content: 'Launched' } })
  await ask('PATCH', `${annotationsPath}1/`, { body: { content: 'Other' } })

  const found = simulator.journal.find({ row: 'annotations/9' })

  expect(found.map(({ operation }) => operation)).toEqual(['createAnnotation', 'updateAnnotation'])
  expect(() => simulator.journal.find({ row: 'annotation/9' })).toThrow(
    'row: expected LIST/ID, such as annotations/5, with one of the lists organizations, ',
  )
})

test('the entry of an unknown path lists the nearest endpoints and the first difference', async () => {
  const { ask, simulator } = await start()
  await ask('GET', '/api/projects/1/annotation/?limit=1')

  expect(simulator.journal.find({ unmatched: true })).toMatchObject([
    {
      operation: null,
      path: '/api/projects/1/annotation/',
      query: { limit: '1' },
      key: { label: 'all' },
      response: { status: 404 },
      changes: [],
      nearest: [
        {
          route: 'GET /api/projects/:project_id/annotations',
          difference: 'segment 4: expected annotations, got annotation',
        },
        {
          route: 'POST /api/projects/:project_id/annotations',
          difference: 'segment 4: expected annotations, got annotation',
        },
        {
          route: 'GET /api/projects/:project_id/annotations/:id',
          difference: 'segment 4: expected annotations, got annotation',
        },
      ],
    },
  ])
  expect(simulator.journal.find({ unmatched: false })).toEqual([])
})

test('the entry of an unknown method lists the nearest endpoints, too', async () => {
  const { ask, simulator } = await start()
  await ask('PUT', `${annotationsPath}1/`, { body: {} })

  const [entry] = simulator.journal.find({ unmatched: true })

  expect(entry).toMatchObject({ operation: null, response: { status: 405 } })
  expect(entry?.nearest?.[0]).toEqual({
    route: 'GET /api/projects/:project_id/annotations/:id',
    difference: 'method: expected GET, got PUT',
  })
})

test('the journal contains rejected requests, without changes', async () => {
  const { ask, simulator } = await start()
  await ask('POST', annotationsPath, {
    raw: '{"content": ',
    headers: { 'content-type': 'application/json' },
  })
  await ask('POST', annotationsPath, { body: { content: 'x' }, key: null })

  expect(simulator.journal.find()).toMatchObject([
    { request: { body: '{"content": ' }, response: { status: 400 }, changes: [] },
    { key: null, response: { status: 401 }, changes: [] },
  ])
})

test('reset keeps the journal, clear empties it, and ids are not reused', async () => {
  const { ask, simulator } = await start()
  await ask('GET', annotationsPath)
  simulator.reset()
  await ask('GET', annotationsPath)
  const before = simulator.journal.find().map(({ id }) => id)

  simulator.journal.clear()
  const cleared = simulator.journal.find()
  await ask('GET', annotationsPath)

  expect(before).toEqual([1, 2])
  expect(cleared).toEqual([])
  expect(simulator.journal.find().map(({ id }) => id)).toEqual([3])
})

test('each sandbox has its own journal', async () => {
  const { ask, simulator } = await start()
  const sandbox = simulator.sandboxes.create()
  const key = sandbox.keys[0]?.value as string
  await ask('GET', annotationsPath)
  await ask('POST', annotationsPath, { key, body: { content: 'Elsewhere' } })

  const inner = simulator.sandboxes.get(sandbox.id)

  expect(simulator.journal.find()).toMatchObject([{ id: 1, operation: 'listAnnotations' }])
  expect(inner?.journal.find()).toMatchObject([{ id: 1, operation: 'createAnnotation' }])
})

test('a request succeeds although a listener throws', async () => {
  const { errors: reported, onError } = collectErrors()
  const { ask, simulator } = await start({ onError }, { onError })
  simulator.journal.follow(() => {
    throw new Error('of the listener')
  })

  expect(await ask('GET', `${annotationsPath}1/`)).toMatchObject({ status: 200 })
  expect(reported).toEqual([new Error('of the listener')])
})

test('the journal can be disabled', async () => {
  const { ask, simulator } = await start({ journal: { entries: 0 } })
  await ask('POST', annotationsPath, { body: { content: 'Launch' } })
  await ask('GET', '/api/nowhere/')

  expect(simulator.journal.find()).toEqual([])
})

test('only the paths of the control API itself are left out of the journal', async () => {
  const { ask, simulator } = await start()
  await ask('GET', '/api/x/__admin/')

  expect(simulator.journal.find()).toMatchObject([{ path: '/api/x/__admin/' }])
})
