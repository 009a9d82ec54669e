import { expect, test } from 'vitest'
import { readDeployFile } from '../support/repository/deployment.ts'
import {
  clusters,
  connectionManager,
  type EnvoyRequest,
  listener,
  type Route,
  rewrite,
  routeOf,
  virtualHost,
} from '../support/repository/envoy-routes.ts'

// Envoy itself does not run here. The routes are followed by a small model of its rules.

const api = '/api/projects/1/annotations/'
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const sandboxes = '/__admin/sandboxes'

test.each<[string, EnvoyRequest, string]>([
  ['the URL of a sandbox', { path: `/__sandbox/r2-x1-sandbox-1${api}` }, 'replica-2'],
  ['its control API', { path: '/__sandbox/r3-sandbox-1/__admin/journal?limit=1' }, 'replica-3'],
  ['its path in the control API', { path: `${sandboxes}/r4-sandbox-1` }, 'replica-4'],
  ['a sandbox of another number', { path: '/__sandbox/r9-sandbox-1/api/' }, 'missing'],
  ['a sandbox of replica 12', { path: '/__sandbox/r12-sandbox-1/api/' }, 'missing'],
  ['the control API with a number', { path: '/__admin/clock?replica=2' }, 'replica-2'],
  [
    'a header with a number',
    { path: '/__admin', headers: { 'understudy-replica': '3' } },
    'replica-3',
  ],
  ['another number', { path: '/__admin/clock?replica=5' }, 'missing'],
  ['the journals of all replicas', { path: '/__admin/journal?replicas=all' }, 'replica-1'],
  [
    'the control API with a token',
    { path: '/__admin/clock', headers: bearer('phx_r2_a') },
    'replica-1',
  ],
  ['a new sandbox', { method: 'POST', path: sandboxes }, 'any'],
  ['the list of sandboxes', { path: sandboxes }, 'replica-1'],
  ['health', { path: '/__admin/health' }, 'any'],
  ['an issued key', { path: api, headers: bearer('phx_r4_abc') }, 'replica-4'],
  ['a key of another number', { path: api, headers: bearer('phx_r5_abc') }, 'missing'],
  ['an issued key in the query', { path: `${api}?limit=1&personal_api_key=phx_r2_x` }, 'replica-2'],
  ['a preflight', { method: 'OPTIONS', path: api }, 'any'],
  ['no key', { path: api }, 'replica-1'],
  ['a path that only begins like the control API', { path: '/__administration' }, 'replica-1'],
])('Envoy routes %s', (_, request, cluster) => {
  expect(routeOf(request)).toEqual({ cluster })
})

test.each([1, 2, 3, 4])('Envoy routes all that names replica %i to this one', (n) => {
  const requests: EnvoyRequest[] = [
    { path: `/__sandbox/r${n}-sandbox-1/api/` },
    { path: `${sandboxes}/r${n}-sandbox-1` },
    { path: '/__admin/clock', headers: { 'understudy-replica': `${n}` } },
    { path: `/__admin/clock?replica=${n}` },
    { method: 'POST', path: sandboxes, headers: { 'understudy-key': `phx_r${n}_mine` } },
    { path: api, headers: bearer(`phx_r${n}_abc`) },
    { path: `${api}?personal_api_key=phx_r${n}_abc` },
  ]

  expect(requests.map(routeOf)).toEqual(requests.map(() => ({ cluster: `replica-${n}` })))
})

test('Envoy hashes a chosen key up to its first dot, wherever the key is', () => {
  const key = 'worker-7.read.all'
  const hashed = { cluster: 'hashed', hashed: 'worker-7' }

  expect(routeOf({ path: api, headers: bearer(key) })).toEqual(hashed)
  expect(routeOf({ path: `${api}?a=b.c&personal_api_key=${key}&d=e` })).toEqual(hashed)
  expect(routeOf({ method: 'POST', path: sandboxes, headers: { 'understudy-key': key } })).toEqual({
    ...hashed,
    adds: 'understudy-routed-by',
  })
})

test('Envoy sends the hashed text to the replica, and never that of a client', () => {
  const [filter] = connectionManager.http_filters
  const [rule] = filter.typed_config.request_rules

  expect(virtualHost.request_headers_to_remove).toEqual(['understudy-routed-by'])
  // Removes the header first, and adds it after that.
  expect(connectionManager.route_config.most_specific_header_mutations_wins).toBe(true)
  expect(rule.header).toBe('understudy-key')
  expect(rewrite('worker-7.read', rule.on_header_present.regex_value_rewrite)).toBe('worker-7')
  const { metadata_namespace: space, key } = rule.on_header_present
  const added = virtualHost.routes.flatMap((route: Route) => route.request_headers_to_add ?? [])
  expect(added).toEqual([
    { header: { key: 'understudy-routed-by', value: `%DYNAMIC_METADATA(${space}:${key})%` } },
  ])
})

test('routes of Envoy name clusters that exist, and only those of any replica try another one', () => {
  const used: Route['route'][] = virtualHost.routes.map(({ route }: Route) => route)
  const repeated = used.filter((route) => route.retry_policy).map(({ cluster }) => cluster)

  expect(new Set(used.map(({ cluster }) => cluster))).toEqual(
    new Set(clusters.map(({ name }) => name)),
  )
  expect(new Set(repeated)).toEqual(new Set(['any']))
})

test('the clusters of Envoy have the replicas of the other files', () => {
  const replicas = [1, 2, 3, 4].map((n) => `understudy-${n}:4010`)
  const addresses = clusters.map(({ name, load_assignment: { cluster_name, endpoints = [] } }) => {
    const ends = endpoints.flatMap(({ lb_endpoints }) => lb_endpoints)
    expect(cluster_name).toBe(name)
    return [
      name,
      ends.map(({ endpoint }) => Object.values(endpoint.address.socket_address).join(':')),
    ]
  })

  expect(Object.fromEntries(addresses)).toEqual({
    ...Object.fromEntries(replicas.map((address, index) => [`replica-${index + 1}`, [address]])),
    hashed: replicas,
    any: replicas,
    missing: [],
  })
  const [hashed] = clusters.filter(({ name }) => name === 'hashed')
  expect(hashed?.lb_policy).toBe('RING_HASH')
  // A replica keeps its keys when its address changes.
  expect(
    hashed?.load_assignment.endpoints?.[0]?.lb_endpoints.map(({ metadata }) => metadata),
  ).toEqual(
    [1, 2, 3, 4].map((n) => ({ filter_metadata: { 'envoy.lb': { hash_key: `understudy-${n}` } } })),
  )
})

test('Envoy logs no requests, whose queries can have keys', () => {
  expect(readDeployFile('envoy.yaml')).not.toContain('access_log')
})

test('errors of Envoy itself have the format of the API', () => {
  const [mapper] = connectionManager.local_reply_config.mappers
  const { content_type, text_format_source } = mapper.body_format_override
  const headers = mapper.headers_to_add.map(
    ({ header }: { header: { key: string; value: string } }) => [header.key, header.value],
  )

  expect([mapper.status_code, content_type]).toEqual([503, 'application/json'])
  expect(headers).toEqual([
    ['retry-after', '1'],
    ['access-control-allow-origin', '*'],
  ])
  // In a text, % starts a command of Envoy.
  expect(text_format_source.inline_string).not.toContain('%')
  expect(JSON.parse(text_format_source.inline_string)).toEqual({
    type: 'server_error',
    code: 'replica_unavailable',
    detail: expect.any(String),
    attr: null,
  })
  expect(listener.address.socket_address.port_value).toBe(8080)
})
