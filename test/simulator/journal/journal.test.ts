import { expect, test } from 'vitest'
import type { JournalFilter } from '../../../src/index.ts'
import { annotationsPath, noon } from '../../support/api/paths.ts'
import { collectErrors } from '../../support/errors.ts'
import { start } from '../../support/transports/start.ts'

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

test('rows that a listener writes are no changes of the request that woke it', async () => {
  const { ask, simulator } = await start()
  const stop = simulator.onChange(() => {
    stop()
    simulator.world.annotations.add({ content: 'By a listener' })
  })

  const { body } = await ask('POST', annotationsPath, { body: { content: 'By a client' } })

  const [entry] = simulator.journal.find()
  expect(body).toMatchObject({ content: 'By a client' })
  expect(entry?.changes).toMatchObject([
    { kind: 'created', fields: { content: [null, 'By a client'] } },
  ])
  expect(simulator.world.annotations.count).toBe(10)
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

/** Four requests, a second apart: two lists, a refused create, and an unknown path with an unknown key. */
async function fourRequests() {
  const { ask, simulator } = await start()
  await ask('GET', '/api/projects/')
  simulator.clock.advance({ seconds: 1 })
  await ask('GET', annotationsPath, { key: 'phx_annotations' })
  simulator.clock.advance({ seconds: 1 })
  await ask('POST', annotationsPath, { body: { scope: 'nowhere' } })
  simulator.clock.advance({ seconds: 1 })
  await ask('GET', '/api/nowhere/', { key: 'phx_unknown' })
  return simulator.journal
}

test.each<[filter: JournalFilter, ids: number[]]>([
  [{}, [1, 2, 3, 4]],
  [{ operation: 'listAnnotations' }, [2]],
  [{ key: 'annotations' }, [2]],
  [{ key: 'phx_annotations' }, [2]],
  [{ key: 'phx_unknown' }, [4]],
  [{ status: 400 }, [3]],
  [{ status: '404' }, [4]],
  [{ status: '4XX' }, [3, 4]],
  [{ key: 'all', status: '4xx' }, [3]],
  [{ unmatched: true }, [4]],
  [{ unmatched: false }, [1, 2, 3]],
  [{ method: 'post', path: '/mount/api/projects/1/' }, [3]],
  [{ limit: 1 }, [4]],
  [{ limit: 3, key: 'all' }, [1, 3]],
])('the filter %j finds the entries %j', async (filter, ids) => {
  const journal = await fourRequests()

  expect(journal.find(filter).map(({ id }) => id)).toEqual(ids)
})

test('a status to filter by is a number or a class of statuses', async () => {
  const { simulator } = await start()
  const search = (status: string | number) => () => simulator.journal.find({ status })

  for (const status of ['0', 0, '100', 599, '1xx', '5XX']) expect.soft(search(status)()).toEqual([])
  for (const status of [99, 600, 4040, 40.4, '0xx', '6xx', '4x', '4xxx', 'a4xx', '']) {
    const message = /^Failed to search the journal\.\n {2}status: expected /
    expect.soft(search(status), String(status)).toThrow(message)
  }
})

test('entries without headers and bodies have all else', async () => {
  const { ask, simulator } = await start()
  await ask('PATCH', `${annotationsPath}1/`, { body: { content: 'Launch', scop: 'project' } })
  const [whole] = simulator.journal.find()

  const [short] = simulator.journal.find({ bodies: false })

  expect(whole?.request).toMatchObject({ body: { content: 'Launch' }, omitted: false })
  expect(short).toEqual({
    ...whole,
    request: { headers: {}, body: null, bytes: whole?.request.bytes, omitted: true },
    response: {
      ...{ status: 200, headers: {}, body: null, bytes: whole?.response.bytes, omitted: true },
    },
  })
  expect(short?.ignored).toHaveLength(1)
  await ask('GET', annotationsPath)
  expect(simulator.journal.find({ bodies: false })[1]?.request.omitted).toBe(false)
})

test('the entry of an unknown path or method lists the nearest endpoints and the first difference', async () => {
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
      nearest: ['GET', 'POST', 'GET'].map((method, index) => ({
        route: `${method} /api/projects/:project_id/annotations${index === 2 ? '/:id' : ''}`,
        difference: 'segment 4: expected annotations, got annotation',
      })),
    },
  ])
  expect(simulator.journal.find({ unmatched: false })).toEqual([])
  await ask('PUT', `${annotationsPath}1/`, { body: {} })
  const [, entry] = simulator.journal.find({ unmatched: true })
  expect(entry).toMatchObject({ operation: null, response: { status: 405 } })
  expect(entry?.nearest?.[0]).toEqual({
    route: 'GET /api/projects/:project_id/annotations/:id',
    difference: 'method: expected GET, got PUT',
  })
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

test('a request succeeds although a listener throws', async () => {
  const { errors: reported, onError } = collectErrors()
  const { ask, simulator } = await start({ onError })
  simulator.sandboxes.create()
  for (const [{ journal }] of simulator.worlds)
    journal.follow(() => {
      throw new Error('of the listener')
    })

  expect(await ask('GET', `${annotationsPath}1/`)).toMatchObject({ status: 200 })
  await ask('GET', '/__sandbox/sandbox-1/api/projects/')
  expect(reported).toEqual([new Error('of the listener'), new Error('of the listener')])
})

test('the journal can be disabled', async () => {
  const { ask, simulator } = await start({ journal: { entries: 0 } })
  const received: unknown[] = []
  simulator.journal.follow((entry) => received.push(entry))
  await ask('POST', annotationsPath, { body: { content: 'Launch' } })
  await ask('GET', '/api/nowhere/')
  const sandbox = simulator.sandboxes.get(simulator.sandboxes.create().id)
  await sandbox?.fetch(annotationsPath)

  expect([received, simulator.journal.find(), sandbox?.journal.find()]).toEqual([[], [], []])
})
