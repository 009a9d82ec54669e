import { expect, test } from 'vitest'
import { toReplaying } from '../../src/import/answers.ts'
import { importExchanges } from '../../src/import/import-exchanges.ts'
import type { Exchange, WorldJson } from '../../src/index.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { scenarioIssues } from '../support/scenarios/story.ts'
import {
  createPage,
  createPart,
  createRow,
  createTraffic,
  type TrafficInput,
} from '../support/traffic.ts'
import { derive, deriveFrom, scenarioFromTraffic, scenarioOf } from './derive.ts'

const refusal = (code: string, detail: string) => {
  return { type: 'authentication_error', code, detail, attr: null }
}
const notFound = { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null }

test('a row is in the world as it was before its first change', async () => {
  const url = `${annotationsPath}4/`
  const { world } = await derive(
    { received: createPage(createRow(4, 'Before')) },
    { method: 'PATCH', url, sent: { content: 'After' }, received: createRow(4, 'After') },
    { received: createPage(createRow(4, 'After')) },
  )

  expect(world.annotations).toMatchObject([{ id: 4, content: 'Before', project: 1 }])
})

test.each([0, 4.5, 9_007_199_254_740_000, 9_223_372_036_854_776_000])(
  'traffic that creates rows with the id %d, which no world can have, is imported',
  async (id) => {
    const created = { ...createRow(5, 'New'), id }
    const create = { method: 'POST', sent: { content: 'C' }, status: 201, received: created }
    const read = { received: createPage(createRow(4, 'Before')) }

    const { scenario } = await scenarioOf(read, create, create)

    expect(scenarioIssues(scenario)).toEqual([])
    expect(scenario.world).not.toHaveProperty('next_ids')
  },
)

test.each<[string, TrafficInput]>([
  ['change', { received: createRow(4, 'After') }],
  ['request without a response', { status: 0, lost: { error: 'timeout' } }],
])('a value that a %s set before it was seen is that after it', async (_, response) => {
  const change = { method: 'PATCH', url: `${annotationsPath}4/`, sent: { content: 'After' } }
  const { world } = await derive(
    { ...change, ...response },
    { received: createPage(createRow(4, 'After')) },
  )

  expect(world.annotations).toMatchObject([{ id: 4, content: 'After' }])
})

test('a row that was not found and then restored was deleted', async () => {
  const url = `${annotationsPath}4/`
  const { world } = await derive(
    { url, status: 404, received: notFound },
    { method: 'PATCH', url, sent: { deleted: false }, received: createRow(4, 'Launch') },
    { url, received: createRow(4, 'Launch') },
  )

  expect(world.annotations).toMatchObject([{ id: 4, deleted: true }])
})

test('the source of a plugin is that of its first read', async () => {
  const plugin = '/api/organizations/@current/plugins/7/'
  const [source, received] = ['before', 'after'].map((text) => ({ 'index.ts': text }))
  const { world } = await derive(
    { url: `${plugin}source/`, received: source },
    { method: 'PATCH', url: `${plugin}update_source/`, sent: received, received },
    { url: `${plugin}source/`, received },
  )

  expect(world.plugins).toMatchObject([{ id: 7, source }])
})

test('rows that were created are not in the world, and the next id is that of the first one', async () => {
  const received = createRow(22, 'Launch', { date_marker: null, scope: 'dashboard_item' })
  const { world } = await derive(
    { method: 'POST', sent: { content: 'Launch' }, status: 201, received },
    { url: `${annotationsPath}22/`, received },
  )

  expect(world.annotations).toBeUndefined()
  expect(world.next_ids).toEqual({ annotations: 22 })
})

test('a key has the scopes of what it did, if something was refused', async () => {
  const plugins = '/api/organizations/@current/plugins/'
  const { world } = await derive(
    ...[plugins, annotationsPath, annotationsPath].map((url) => ({ url, received: createPage() })),
    {
      method: 'POST',
      sent: { content: 'No' },
      status: 403,
      received: refusal('permission_denied', "API key missing required scope 'annotation:write'"),
    },
  )

  const scopes = ['annotation:read', 'plugin:read']
  expect(world.keys).toEqual([{ value: 'replaced-key-1', label: 'key-1', user: 1, scopes }])
})

test('a key that was only refused has no scopes', async () => {
  const received = refusal('permission_denied', "API key missing required scope 'annotation:read'")
  const { world } = await derive({ status: 403, received })

  expect(world.keys).toMatchObject([{ scopes: [] }])
})

test('a key that the service accepts after a 401 was not revoked', async () => {
  const received = refusal('authentication_failed', 'Not now.')
  const traffic = createTraffic({ status: 401, received }, { received: createPage() })
  const { scenario } = await scenarioFromTraffic(traffic, { keys: { mine: 'phx_mine' } })

  expect(scenario.steps.map((step) => Object(step).expect?.status)).toEqual([401, 200])
})

test('a key whose DELETE got a 405 may write: its scopes are checked before the method', async () => {
  const { world } = await derive(
    { method: 'DELETE', url: `${annotationsPath}1/`, status: 405 },
    { url: '/api/organizations/@current/plugins/', status: 403 },
  )

  expect(world.keys).toMatchObject([{ scopes: ['annotation:write'] }])
})

test('rows of a list that replays by its recorded answer keep their own times', async () => {
  const [first, second] = ['01', '02'].map((day, index) =>
    createRow(index + 1, 'A', { date_marker: `2024-06-${day}T00:00:00Z` }),
  ) as [object, object]
  const traffic = createTraffic(
    { received: createPage(second, first) },
    // In another order than that of any service: neither has changed.
    { received: createPage(first, second) },
  )
  const imported = await importExchanges(traffic)

  const { scenario } = await toReplaying(imported, imported.scenario)

  const [rule] = scenario.steps.flatMap((step) => ('fault' in step ? [step.fault] : []))
  const { results } = (rule as { effect: { body: { results: object[] } } }).effect.body
  expect(results).toMatchObject([
    { id: 1, date_marker: '2024-06-01T00:00:00Z' },
    { id: 2, date_marker: '2024-06-02T00:00:00Z' },
  ])
})

test('a request without a key that the service accepted gets one of the world, and a refused one does not', async () => {
  const traffic = createTraffic(
    { received: createPage() },
    {
      status: 401,
      received: refusal('not_authenticated', 'Authentication credentials were not provided.'),
    },
  )
  const { scenario, world } = await deriveFrom(
    traffic.map((exchange) => ({ ...exchange, request: { headers: [], body: null } })),
  )

  expect(scenario.steps.map((step) => 'as' in step && step.as)).toEqual(['key', false])
  expect(world.keys).toMatchObject([{ label: 'key' }])
})

test('a change by another user between the requests is a step', async () => {
  const { scenario } = await derive(
    { received: createPage(createRow(4, 'Before')) },
    { received: createPage(createRow(5, 'New'), createRow(4, 'After')) },
  )

  expect(scenario.steps[1]).toMatchObject({ rows: { annotations: [{ content: 'New' }] } })
  expect(scenario.steps[2]).toMatchObject({ update: { annotations: [{ content: 'After' }] } })
})

test('errors of the server, limits, slow responses and texts of a proxy become faults', async () => {
  const html = { text: '<h1>502</h1>' }
  const asked = { 'content-type': 'text/html', 'www-authenticate': 'Basic' }
  const crash = {
    ...{ type: 'server_error', code: 'error', attr: null },
    detail: 'A server error occurred.',
  }
  const [failed, limited, slow, proxied] = createTraffic(
    { status: 500, received: crash, ms: 2_000 },
    { status: 429, received: { detail: 'Slow down' } },
    { received: createPage(), ms: 90_000_000 },
    { status: 502, ms: 1_999 },
  ) as [Exchange, Exchange, Exchange, Exchange]
  const headers = [
    ['content-type', 'application/json'],
    ['retry-after', '7'],
  ] as const
  const { scenario } = await deriveFrom([
    failed,
    { ...limited, response: { ...limited.response, headers } },
    slow,
    { ...proxied, response: { status: 502, headers: Object.entries(asked), body: html } },
  ])

  const once = { operation: 'listAnnotations', when: { times: 1 } }
  const page = { headers: asked, body: '<h1>502</h1>' }
  const slowDown = { headers: { 'retry-after': '7' }, body: { detail: 'Slow down' } }
  const faults = scenario.steps.flatMap((step) => ('fault' in step ? [step.fault] : []))
  expect(faults).toEqual([
    { ...once, phase: 'before', effect: { status: 500, body: crash, delay_ms: 2_000 } },
    // The next list succeeded a second later.
    {
      ...once,
      when: { times: 1, for_s: 7 },
      phase: 'before',
      effect: { status: 429, ...slowDown },
    },
    { ...once, effect: { delay_ms: 86_400_000 } },
    { ...once, phase: 'before', effect: { status: 502, ...page } },
  ])
})

test('others moved a row to another date, and then to another project', async () => {
  const url = '/api/projects/2/annotations/'
  const early = createRow(4, 'Deploy')
  const late = { ...early, date_marker: '2024-07-01T00:00:00Z' }
  const { scenario, warnings } = await derive(
    { received: createPage(early) },
    { url: '/api/projects/1/annotations/4/', received: late },
    { received: createPage() },
    { url, received: createPage(late) },
  )

  expect(scenario.steps.filter((step) => 'update' in step)).toEqual([
    { update: { annotations: [{ id: 4, date_marker: '2024-07-01T00:00:00Z' }] } },
    { update: { annotations: [{ id: 4, project: 2 }] } },
  ])
  expect(warnings).toEqual([
    'Others, or requests that the scenario lacks, are assumed to have changed 1 row.',
  ])
})

test('a response that no simulator can send leaves a valid scenario', async () => {
  const traffic = createTraffic({ status: 700, received: 'Odd' }, { status: 500 })
  const { scenario } = await scenarioFromTraffic(
    traffic.map((exchange) => {
      const headers = [['location', '/日']] as const
      return { ...exchange, response: { ...exchange.response, headers } }
    }),
  )

  expect(scenarioIssues(scenario)).toEqual([])
})

test('@current is the project with the lowest id', async () => {
  const { world } = await derive(
    { url: '/api/projects/10/annotations/3/', received: createRow(3, 'Start') },
    { url: '/api/projects/9/annotations/4/', received: createRow(4, 'Launch') },
    {
      url: '/api/projects/@current/annotations/',
      received: createPage(createRow(5, 'Deploy'), createRow(4, 'Launch')),
    },
  )

  expect(world.annotations).toMatchObject([
    { id: 3, project: 10 },
    { id: 4, project: 9 },
    { id: 5, project: 9 },
  ])
})

test.each<[title: string, path: string]>([
  ['alone', '/api/projects/@current/annotations/'],
  ['beside its id', '/api/projects/7/annotations/'],
])('the rows of @current are those of its project, %s', async (_title, path) => {
  const { world } = await derive(
    createPart('/api/projects/@current/annotations/?limit=1', 2, createRow(5, 'Deploy')),
    { url: path, received: createPage(createRow(5, 'Deploy'), createRow(4, 'Launch')) },
  )

  const project = path.includes('7') ? 7 : 1
  expect(world.projects).toMatchObject([{ id: project }])
  expect(world.annotations).toMatchObject([
    { id: 4, content: 'Launch', project },
    { id: 5, content: 'Deploy', project },
  ])
})

test('a response that repeats an old row does not turn the clock back', async () => {
  const at = (day: number, created = day) => {
    const time = `2024-06-${created}T12:00:00Z`
    return { date_marker: `2024-06-${day}T00:00:00Z`, created_at: time, updated_at: time }
  }
  const [newest, planned] = [createRow(4, 'D', at(14)), createRow(3, 'C', at(13, 10))]
  const [older, oldest] = [createRow(2, 'B', at(12)), createRow(1, 'A', at(11))]
  const page = (offset: number, ...rows: readonly object[]) =>
    createPart(`${annotationsPath}?limit=2&offset=${offset}`, 4, ...rows)
  const same = { sent: { content: 'C' }, received: planned }

  const { scenario, world } = await derive(
    page(0, newest, planned),
    { method: 'PATCH', url: `${annotationsPath}3/`, ...same },
    page(2, older, oldest),
  )

  const steps = scenario.steps.map((step) => ('method' in step ? step.method : step))
  expect(steps).toEqual(['GET', 'PATCH', 'GET'])
  expect(scenario.clock).toBe('2024-06-15T12:00:00Z')
  expect(world.annotations?.map(({ id }) => id)).toEqual([1, 2, 3, 4])
})

test('rows of another service that no world can have are left out', async () => {
  const { scenario, warnings } = await scenarioOf({
    received: createPage(
      createRow(-3, 'Below'),
      createRow(4, 'x'.repeat(401)),
      createRow(5, 'Fine', { scope: 'galaxy', created_by: { id: 9 } }),
    ),
  })

  const { annotations } = scenario.world as WorldJson
  expect(annotations).toMatchObject([
    { id: 4, content: null },
    { id: 5, scope: 'dashboard_item', created_by: 9 },
  ])
  expect(warnings).toEqual([
    'Made up, because the archive does not show it: the uuid of users 9.',
    'Made up, because the archive does not show it: the first_name of users 9.',
    'Made up, because the archive does not show it: the email of users 9.',
    'Left out, because no world can have it: annotations -3.',
    'Made up, because no world can have it: the content of annotations 4.',
    'Made up, because no world can have it: the scope of annotations 5.',
  ])
})

test('the clock is that of the service, by the time of a row that was written', async () => {
  const received = createRow(4, 'After', { updated_at: '2024-06-15T13:00:02.500000Z' })
  const slower = createRow(5, 'After', { updated_at: '2024-06-15T13:00:00.800000Z' })
  const slowest = createRow(6, 'After', { updated_at: '2024-06-15T13:00:09Z' })

  const { scenario } = await derive(
    { url: `${annotationsPath}9/`, status: 404, received: notFound },
    { method: 'PATCH', url: `${annotationsPath}5/`, sent: { content: 'After' }, received: slower },
    { method: 'PATCH', url: `${annotationsPath}4/`, sent: { content: 'After' }, received },
    { method: 'PATCH', url: `${annotationsPath}6/`, sent: { content: 'After' }, received: slowest },
  )

  expect(scenario.clock).toBe('2024-06-15T13:00:00Z')
})
