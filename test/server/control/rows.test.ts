import { expect, test } from 'vitest'
import { start } from '../../support/lanes/start.ts'

const json = { key: null }

test('rows are listed with filters, search and paging', async () => {
  const { ask, simulator } = await start()
  simulator.world.annotations.update(2, { deleted: true })
  const find = async (query: string) => {
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

  expect(await find('')).toEqual([all.length, all])
  expect(await find('?offset=1&limit=2')).toEqual([all.length, all.slice(1, 3)])
  expect(await find('?deleted=true')).toEqual([deleted.length, deleted])
  expect(await find('?deleted=false')).toEqual([
    all.length - deleted.length,
    all.filter((id) => !deleted.includes(id)),
  ])
  expect(await find('?search=RELEASE')).toEqual([release.length, release])
  expect(await find('?project=2')).toEqual([project.length, project])
  expect(await find('?scope=organization')).toEqual([scope.length, scope])
  expect(await find('?since=2024-06-02T00:00:00Z')).toEqual([since.length, since])
  for (const some of [deleted, release, project, scope, since]) expect(some).not.toEqual([])
})

test('a search for plugins covers their fields, but not their source code', async () => {
  const { ask, simulator } = await start()
  const plugin = simulator.world.plugins.create({
    name: 'Sieve',
    source: { 'index.ts': 'export const needle = 1' },
  })

  const byName = await ask('GET', '/__admin/world/plugins?search=sieve', json)
  const byCode = await ask('GET', '/__admin/world/plugins?search=needle', json)

  expect(byName.body).toEqual({ count: 1, rows: [plugin] })
  expect(byCode.body).toEqual({ count: 0, rows: [] })
})

test('a row is updated, deleted, restored and removed without a request in the journal', async () => {
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
})

test.each([
  ['users', 'null', 0],
  ['users', 'true', 0],
  ['users', 'organizations', 0],
  ['users', 'ada@example.com', 1],
])('a search in %s for %s covers values only: %i found', async (list, word, count) => {
  const { ask } = await start()

  const { body } = await ask('GET', `/__admin/world/${list}?search=${word}`, json)

  expect(body).toMatchObject({ count })
})

test.each(['0x1', '1e0', 'one', '%201'])('%s is not the id of a row', async (id) => {
  const { ask } = await start()

  const response = await ask('GET', `/__admin/world/annotations/${id}`, json)

  expect(response).toEqual({
    status: 404,
    body: {
      type: 'invalid_request',
      code: 'not_found',
      detail: `Row ${decodeURIComponent(id)} of annotations not found: it never existed, or was removed.`,
      attr: 'id',
    },
  })
})

test('an invalid e-mail address of a user is refused', async () => {
  const { ask, simulator } = await start()

  const response = await ask('PATCH', '/__admin/world/users/1', {
    ...json,
    body: { email: 'nope' },
  })

  expect(response).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('an e-mail address, got "nope"') },
  })
  expect(simulator.world.users.get(1)?.email).toBe('ada@example.com')
})

test('generated rows depend on the seed, and are never repeated', async () => {
  const generateTwice = async (seed: number) => {
    const { ask, simulator } = await start({ seed })
    const generate = () =>
      ask('PATCH', '/__admin/world', { ...json, body: { generate: { annotations: 1 } } })
    const contents: unknown[] = []
    for (const id of [9, 10]) {
      await generate()
      contents.push(simulator.world.annotations.get(id)?.content)
      simulator.world.annotations.delete(id)
    }
    return contents
  }

  const [one, same, other] = [
    await generateTwice(7),
    await generateTwice(7),
    await generateTwice(8),
  ]

  expect(same).toEqual(one)
  expect(new Set([...one, ...other]).size).toBe(4)
})

test('rows of several lists are generated, all or none', async () => {
  const { ask, simulator } = await start({ world: 'empty' })
  const before = simulator.world.toJSON()

  const refused = await ask('PATCH', '/__admin/world', {
    ...json,
    body: { generate: { users: 1, plugin_configs: 2 } },
  })
  const after = simulator.world.toJSON()
  const generated = await ask('PATCH', '/__admin/world', {
    ...json,
    body: { generate: { plugins: 2, plugin_configs: 5 } },
  })

  expect(refused.status).toBe(400)
  expect(after).toEqual(before)
  expect(generated.status).toBe(200)
  expect(simulator.world.counts).toMatchObject({ plugins: 2, plugin_configs: 5 })
})

test('the factories generate different rows each time', async () => {
  const { ask, simulator } = await start()
  const { world } = simulator
  const [annotations, plugins] = [world.annotations.count, world.plugins.count]

  const first = await ask('PATCH', '/__admin/world', {
    key: null,
    body: { generate: { annotations: 3, plugins: 2 } },
  })
  const second = await ask('PATCH', '/__admin/world', {
    key: null,
    body: { generate: { annotations: 3 } },
  })

  expect(first).toEqual({
    status: 200,
    body: { plugins: [25, 26], annotations: [9, 10, 11] },
  })
  expect(second).toEqual({ status: 200, body: { annotations: [12, 13, 14] } })
  const rows = [9, 10, 11, 12, 13, 14].map((id) => world.annotations.get(id))
  expect(new Set(rows.map((row) => `${row?.content} ${row?.date_marker}`)).size).toBe(6)
  for (const row of rows) expect(world.projects.get(row?.project ?? 0)).toBeDefined()
  expect([world.annotations.count, world.plugins.count]).toEqual([annotations + 6, plugins + 2])
})
