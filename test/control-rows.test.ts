import { expect } from 'vitest'
import { factories } from '../src/factories.ts'
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

overHttp('more rows are made by the factories, others each time (over HTTP only)', async () => {
  const { ask, simulator } = await start()
  const { world } = simulator
  const [annotations, plugins] = [world.annotations.count, world.plugins.count]

  const first = await ask('POST', '/__admin/generate', {
    key: null,
    body: { annotations: 3, plugins: 2 },
  })
  const second = await ask('POST', '/__admin/generate', { key: null, body: { annotations: 3 } })

  expect(first).toEqual({
    status: 200,
    body: { plugins: [25, 26], annotations: [9, 10, 11] },
  })
  expect(second).toEqual({ status: 200, body: { annotations: [12, 13, 14] } })
  const made = [9, 10, 11, 12, 13, 14].map((id) => world.annotations.get(id))
  expect(new Set(made.map((row) => `${row?.content} ${row?.date_marker}`)).size).toBe(6)
  for (const row of made) expect(world.projects.get(row?.project ?? 0)).toBeDefined()
  expect([world.annotations.count, world.plugins.count]).toEqual([annotations + 6, plugins + 2])
})

overHttp.each([
  {
    unit: 'hour',
    markers: ['2024-06-01T10:59:00Z', '2024-06-01T10:01:00Z', '2024-06-01T11:00:00Z'],
    at: ['2024-06-01T10:00:00.000Z', '2024-06-01T11:00:00.000Z'],
  },
  {
    unit: 'day',
    markers: ['2024-06-01T10:00:00Z', '2024-06-01T23:00:00Z', '2024-06-20T00:00:00Z'],
    at: ['2024-06-01T00:00:00.000Z', '2024-06-20T00:00:00.000Z'],
  },
  {
    unit: 'week',
    markers: ['2024-01-01T00:00:00Z', '2024-01-07T23:00:00Z', '2024-12-31T00:00:00Z'],
    at: ['2024-01-01T00:00:00.000Z', '2024-12-30T00:00:00.000Z'],
  },
  {
    unit: 'month',
    markers: ['2020-02-01T00:00:00Z', '2020-02-29T00:00:00Z', '2024-06-20T00:00:00Z'],
    at: ['2020-02-01T00:00:00.000Z', '2024-06-01T00:00:00.000Z'],
  },
  {
    unit: 'year',
    markers: ['0099-02-01T00:00:00Z', '0099-03-01T00:00:00Z', '2024-06-20T00:00:00Z'],
    at: ['0099-01-01T00:00:00.000Z', '2024-01-01T00:00:00.000Z'],
  },
])('annotations are counted by the $unit (over HTTP only)', async ({ unit, markers, at }) => {
  const { ask, simulator } = await start({ world: 'empty' })
  const [one, two, three] = markers.map((date_marker) => ({ date_marker }))
  simulator.addRows({
    annotations: [
      { ...one, scope: 'project' },
      { ...two, scope: 'organization' },
      { ...three, scope: 'project' },
      { content: 'undated' },
    ],
  })

  const { body } = await ask('GET', '/__admin/timeline', json)

  expect(body).toEqual({
    unit,
    steps: [
      { at: at[0], counts: { project: 1, organization: 1 } },
      { at: at[1], counts: { project: 1 } },
    ],
    undated: 1,
  })
})

overHttp('a list of a hundred thousand rows is found in quickly (over HTTP only)', async () => {
  const make = factories()
  const project = make.project()
  const row = make.annotation({ project: project.id })
  const annotations = Array.from({ length: 100_000 }, (_, index) => ({ ...row, id: index + 1 }))
  const { ask } = await start({ world: { ...make.world(), annotations } })
  const began = performance.now()

  const page = await ask('GET', '/__admin/world/annotations?offset=99990&limit=5', json)

  expect((page.body as { rows: object[] }).rows).toHaveLength(5)
  expect(performance.now() - began).toBeLessThan(500)
})
