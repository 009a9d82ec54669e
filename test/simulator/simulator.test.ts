import { expect, test } from 'vitest'
import odd from '../../fixtures/odd.json' with { type: 'json' }
import { endpoints } from '../../src/api/endpoints.ts'
import { operationIds } from '../../src/http/operation-id.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import type { WorldJson } from '../../src/world/world-json.ts'
import { crashed, notFound } from '../support/api/errors.ts'
import { authorization } from '../support/api/headers.ts'
import { acme, annotationsPath } from '../support/api/paths.ts'

const headers = authorization()

test('createSimulator uses the world default', () => {
  const { defaults, world } = createSimulator()

  expect({ ...defaults }).toEqual({ key: 'phx_all', project_id: 1, organization_id: acme })
  expect(world.counts).toMatchObject({ organizations: 1, dashboard_items: 3, annotations: 8 })
})

test('defaults follow the current world', () => {
  const simulator = createSimulator({ world: 'empty' })
  const { organization_id } = simulator.defaults

  simulator.keys.revoke('phx_all')
  simulator.world.projects.update(1, { organization: organization_id })
  const project = simulator.world.projects.add()
  simulator.keys.revoke('phx_all')
  expect(() => simulator.defaults.key).toThrow(
    'Failed to choose a default: the world has no keys. Add one.',
  )
  simulator.keys.issue({ value: 'issued' })
  simulator.world.projects.delete(1)

  expect({ ...simulator.defaults }).toEqual({
    key: 'issued',
    project_id: project.id,
    organization_id,
  })
})

test('the default organization is that of the first project, not the first organization', () => {
  const simulator = createSimulator({ world: 'empty' })
  const { id } = simulator.world.organizations.add()
  simulator.world.projects.update(1, { organization: id })

  expect(simulator.defaults.organization_id).toBe(id)
  expect(simulator.world.plugins.add().organization).toBe(id)
})

test('an empty world can be filled step by step', async () => {
  const simulator = createSimulator({ world: {} })
  expect(() => simulator.world.projects.add()).toThrow(
    'Failed to choose a default: the world has no organizations. Add one.',
  )

  simulator.world.organizations.add()
  const { id } = simulator.world.projects.add()
  simulator.world.users.add()
  const key = simulator.keys.issue()
  simulator.world.annotations.add({ content: 'First', scope: 'project' })
  const page = await get(simulator, `/api/projects/${id}/annotations/`, key)

  expect(page).toMatchObject({ count: 1, results: [{ content: 'First' }] })
})

test('several simulators share nothing', async () => {
  const first = createSimulator()
  const two = createSimulator()
  const untouched = JSON.stringify(two.world.toJSON())

  first.world.plugins.update(21, { config_schema: { changed: true }, name: 'Changed' })
  first.world.users.update(1, { hedgehog_config: null })
  first.world.annotations.delete(1)
  first.keys.revoke('phx_all')
  first.settings.set({ 'annotations.delete.status': 404 })
  first.clock.set('2030-01-01T00:00:00Z')
  const { keys, plugins } = first.world.toJSON() as { keys: unknown[]; plugins: object[] }
  keys.length = 0
  for (const plugin of plugins) Object.assign(plugin, { config_schema: 'gone' })

  expect(JSON.stringify(two.world.toJSON())).toBe(untouched)
  expect(JSON.stringify(createSimulator().world.toJSON())).toBe(untouched)
  expect(two.settings.get('annotations.delete.status')).toBe('405')
  expect(two.clock.now()).toBeLessThan(Date.parse('2030-01-01T00:00:00Z'))
  expect(await get(two, annotationsPath)).toMatchObject({ count: 6 })
})

test('an unexpected exception is passed to onError, and the client receives a 500', async () => {
  const errors: unknown[] = []
  const simulator = createSimulator({ onError: (error) => errors.push(error) })
  const broken = new Error('a secret')
  Object.defineProperty(simulator.clock, 'iso', {
    value() {
      throw broken
    },
  })

  const response = await simulator.fetch(annotationsPath, { method: 'POST', headers })

  expect({ status: response.status, body: await response.json() }).toEqual(crashed())
  expect(errors).toEqual([broken])
  expect(simulator.world.annotations.count).toBe(8)
})

async function get(simulator: Simulator, path: string, key = 'phx_all'): Promise<unknown> {
  const response = await simulator.fetch(path, { headers: { authorization: `Bearer ${key}` } })
  return response.json()
}

test('fetch accepts a path, a URL string, a URL or a Request, with or without options', async () => {
  const simulator = createSimulator()
  const url = `https://any.test${annotationsPath}?limit=1`
  const request = new Request(url, { headers })

  const pages = [
    await simulator.fetch(`${annotationsPath}?limit=1`, { headers }),
    await simulator.fetch(url, { headers }),
    await simulator.fetch(new URL(url), { headers }),
    await simulator.fetch(request.clone()),
    await simulator.fetch(request, { headers: { authorization: 'Bearer phx_none' } }),
  ]

  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 403])
  const bodies = await Promise.all(pages.slice(0, 4).map((page) => page.json()))
  expect(bodies.map(({ next }) => next)).toEqual([
    `http://localhost${annotationsPath}?limit=1&offset=1`,
    ...Array(3).fill(`${url}&offset=1`),
  ])
})

test.each([
  ['https://api.test', 'https://api.test'],
  ['https://api.test/v1/', 'https://api.test/v1'],
  ['/service', 'http://localhost/service'],
  ['*', 'http://localhost'],
  ['https://API.Example.com', 'https://api.example.com'],
  ['https://api.example.com:443/', 'https://api.example.com'],
  ['http://localhost:80/service', 'http://localhost/service'],
  ['https://größe.example/ä', 'https://xn--gre-6ka8i.example/%C3%A4'],
])('the base URL %s is %s, against which fetch resolves a path', async (baseUrl, base) => {
  const simulator = createSimulator({ baseUrl })
  const read = async (url: string) => (await simulator.fetch(`${url}?limit=1`, { headers })).json()

  const pages = [await read(annotationsPath), await read(base + annotationsPath)]

  const next = `${base}${annotationsPath}?limit=1&offset=1`
  expect(pages).toMatchObject([{ next }, { next }])
})

test('the journal lists unknown paths of the API with their settings, but none of the admin API', async () => {
  const simulator = createSimulator({ baseUrl: '/service' })
  const paths = ['/api/nothing/?limit=1', '/nothing/', '/__admin/nothing', '/__administration/']

  for (const path of paths) {
    const response = await simulator.fetch(path)
    const reply = { status: response.status, body: await response.json() }
    expect.soft(reply, path).toEqual(notFound('Endpoint not found.'))
  }

  expect(simulator.journal.find().map(({ path, query }) => [path, query])).toEqual([
    ['/service/api/nothing/', { limit: '1' }],
    ['/service/nothing/', {}],
    ['/service/__administration/', {}],
  ])
  const settings = simulator.journal.find().map(({ settings }) => settings.map(({ id }) => id))
  expect(settings).toEqual(Array(3).fill(['errors.body']))
})

test('an unknown sandbox below a base URL gets a 404 that names it', async () => {
  const simulator = createSimulator({ baseUrl: '/service' })

  const response = await simulator.fetch(`/__sandbox/gone${annotationsPath}`, { headers })

  expect({ status: response.status, body: await response.json() }).toEqual(
    notFound('Sandbox gone not found: it was never created, or has ended.'),
  )
})

test.each([
  ['/api/nothing/', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
  ['/api', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
  ['/other/api/nothing/', null],
  ['/apis/', null],
])('live, the unknown path %s responds with Allow: %s', async (path, allow) => {
  const simulator = createSimulator({ profile: 'live' })

  const response = await simulator.fetch(path, { headers })

  expect([response.status, response.headers.get('allow')]).toEqual([404, allow])
})

test('a listener is called after each write, and after each replacement of all rows', () => {
  const simulator = createSimulator()
  let count = 0
  const remove = simulator.onChange(() => {
    count += 1
  })
  const counts: number[] = []
  const change = (write: () => void) => {
    write()
    counts.push(count)
  }

  change(() => simulator.world.annotations.add())
  change(() => simulator.world.annotations.delete(1))
  change(() => simulator.clock.advance({ hours: 1 }))
  change(() => simulator.reset({ only: ['rows'] }))
  change(remove)
  change(() => simulator.world.annotations.delete(1))

  expect(counts).toEqual([1, 2, 2, 3, 3, 3])
})

test('a world that is passed to createSimulator is copied', () => {
  const world = structuredClone(odd) as unknown as WorldJson
  const simulator = createSimulator({ world })
  const before = JSON.stringify(simulator.world.toJSON())

  for (const plugin of world.plugins ?? []) Object.assign(plugin, { config_schema: 'gone' })
  for (const key of world.keys ?? []) Object.assign(key.projects ?? [], [999])
  const afterChange = JSON.stringify(simulator.world.toJSON())
  const passed = JSON.stringify(world)
  simulator.world.plugins.update(4, { name: 'Changed' })
  simulator.world.users.update(3, { hedgehog_config: { changed: true } })

  expect(afterChange).toBe(before)
  expect(JSON.stringify(world)).toBe(passed)
})

test('the types reject what a call refuses, and a sandbox of a known world has a key', () => {
  const { faults, journal, keys, sandboxes, world } = createSimulator()

  const calls = [
    // @ts-expect-error: the option is called world
    () => createSimulator({ wrold: 'empty' }),
    // @ts-expect-error: unknown profile
    () => createSimulator({ profile: 'dead' }),
    // @ts-expect-error: unknown setting
    () => createSimulator({ settings: { 'keys.place': 'header' } }),
    // A JSON module has no types of values.
    () => createSimulator({ settings: { 'keys.places': 'cookie' } }),
    // @ts-expect-error: unknown operation
    () => faults.add({ operation: 'listAnotations', effect: { drop: true } }),
    // @ts-expect-error: unknown preset
    () => faults.add({ preset: 'flakey' }),
    // @ts-expect-error: unknown operation
    () => journal.find({ operation: 'listAnotations' }),
    // @ts-expect-error: unknown operation
    () => journal.verify({ operation: 'listAnotations', count: 1 }),
    // @ts-expect-error: unknown scope
    () => keys.issue({ scopes: ['anotation:read'] }),
    // @ts-expect-error: unknown scope of an annotation
    () => world.annotations.add({ scope: 'projct' }),
  ]

  for (const call of calls)
    expect.soft(call).toThrow(/"(wrold|dead|keys.place|cookie)|Did you mean/)
  expect(sandboxes.create({ from: 'default' }).key.startsWith('phx_')).toBe(true)
})

test('the ids of the operations are those of the endpoints', () => {
  expect([...operationIds]).toEqual(endpoints.map(({ operation }) => operation))
})
