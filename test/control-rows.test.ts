import { expect } from 'vitest'
import { overHttp, start } from './support/start.ts'

const json = { key: null }

overHttp(
  'rows are listed by page, search and state (over HTTP only: a server has it)',
  async () => {
    const { ask, simulator } = await start()
    simulator.world.annotations.update(2, { deleted: true })
    const found = async (query: string) => {
      const { body } = await ask('GET', `/__admin/world/annotations${query}`, json)
      const { count, rows } = body as { count: number; rows: { id: number }[] }
      return [count, rows.map(({ id }) => id)]
    }
    const listed = simulator.world.annotations.list()
    const ids = (fits: (row: (typeof listed)[number]) => boolean) =>
      listed
        .filter(fits)
        .sort((a, b) => order(a.date_marker) - order(b.date_marker) || b.id - a.id)
        .map(({ id }) => id)
    const order = (marker: string | null) =>
      marker === null ? Number.NEGATIVE_INFINITY : -Date.parse(marker)

    const [all, deleted, release, project, scope, since] = [
      ids(() => true),
      ids((row) => row.deleted),
      ids((row) => row.content?.toLowerCase().includes('release') ?? false),
      ids((row) => row.project === 2),
      ids((row) => row.scope === 'organization'),
      ids((row) => (row.date_marker ?? '') >= '2024-06-02'),
    ]

    expect(await found('')).toEqual([all.length, all])
    expect(await found('?offset=1&limit=2')).toEqual([all.length, all.slice(1, 3)])
    expect(await found('?deleted=true')).toEqual([deleted.length, deleted])
    expect(await found('?deleted=false')).toEqual([
      all.length - deleted.length,
      all.filter((id) => !deleted.includes(id)),
    ])
    expect(await found('?search=RELEASE')).toEqual([release.length, release])
    expect(await found('?project=2')).toEqual([project.length, project])
    expect(await found('?scope=organization')).toEqual([scope.length, scope])
    expect(await found('?since=2024-06-02T00:00:00Z')).toEqual([since.length, since])
    for (const some of [deleted, release, project, scope, since]) expect(some).not.toEqual([])
  },
)

overHttp(
  'plugins are searched by their own texts, not by their code (over HTTP only)',
  async () => {
    const { ask, simulator } = await start()
    const plugin = simulator.world.plugins.create({
      name: 'Sieve',
      source: { 'index.ts': 'export const needle = 1' },
    })

    const byName = await ask('GET', '/__admin/world/plugins?search=sieve', json)
    const byCode = await ask('GET', '/__admin/world/plugins?search=needle', json)

    expect(byName.body).toEqual({ count: 1, rows: [plugin] })
    expect(byCode.body).toEqual({ count: 0, rows: [] })
  },
)

overHttp(
  'a row is changed, deleted, restored and removed without a request (over HTTP only)',
  async () => {
    const { ask, simulator } = await start()
    const address = '/__admin/world/annotations/1'
    const before = simulator.world.annotations.get(1)

    const deleted = await ask('PATCH', address, { key: null, body: { deleted: true } })
    const hidden = await ask('GET', '/api/projects/1/annotations/1/')
    const restored = await ask('PATCH', address, { key: null, body: { deleted: false } })
    const removed = await ask('DELETE', address, json)
    const gone = await ask('GET', address, json)

    expect([deleted, restored]).toEqual([
      { status: 200, body: { ...before, deleted: true } },
      { status: 200, body: before },
    ])
    expect([hidden.status, removed.status, gone.status]).toEqual([404, 204, 404])
    expect(simulator.journal.find()).toHaveLength(1)
    expect(simulator.why('annotation', 1)?.removed).toEqual({ edit: 'world' })
  },
)

overHttp.each([
  ['users', 'null', 0],
  ['users', 'true', 0],
  ['users', 'organizations', 0],
  ['users', 'ada@example.com', 1],
])(
  '%s are searched for %s in their values: %i found (over HTTP only)',
  async (list, word, count) => {
    const { ask } = await start()

    const { body } = await ask('GET', `/__admin/world/${list}?search=${word}`, json)

    expect(body).toMatchObject({ count })
  },
)

overHttp.each(['0x1', '1e0', 'one', '%201'])(
  '%s is the id of no row (over HTTP only)',
  async (id) => {
    const { ask } = await start()

    const answer = await ask('GET', `/__admin/world/annotations/${id}`, json)

    expect(answer).toEqual({
      status: 404,
      body: {
        type: 'invalid_request',
        code: 'not_found',
        detail: `Row ${decodeURIComponent(id)} of annotations not found: it never was, or was removed.`,
        attr: 'id',
      },
    })
  },
)

overHttp('a user has an e-mail address, as the service sends one (over HTTP only)', async () => {
  const { ask, simulator } = await start()

  const answer = await ask('PATCH', '/__admin/world/users/1', { ...json, body: { email: 'nope' } })

  expect(answer).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('an e-mail address, got "nope"') },
  })
  expect(simulator.world.users.get(1)?.email).toBe('ada@example.com')
})

overHttp.each(['/__admin/policies', '/__admin/world/annotations/1'])(
  'PATCH %s refuses __proto__, as any field that is none (over HTTP only)',
  async (path) => {
    const { ask } = await start()

    const answer = await ask('PATCH', path, {
      ...json,
      raw: '{"__proto__": "x"}',
      headers: { 'content-type': 'application/json' },
    })

    expect(answer).toMatchObject({ status: 400, body: { attr: '__proto__' } })
  },
)
