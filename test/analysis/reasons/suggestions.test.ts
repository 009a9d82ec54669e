import { expect, test } from 'vitest'
import type { SimulatorOptions } from '../../../src/sandbox/simulator-options.ts'
import type { Simulator } from '../../../src/simulator.ts'
import { acme, annotationsPath, initech } from '../../support/api/paths.ts'
import { twoOrganizations } from '../../support/api/two-organizations.ts'
import type { RequestOptions } from '../../support/lanes/client.ts'
import { start } from '../../support/lanes/start.ts'

type Sent = readonly [method: string, path: string, options?: RequestOptions]

interface Setting extends SimulatorOptions {
  readonly before?: (simulator: Simulator) => unknown
}

/** Sends a request, and returns the suggestion for it. */
async function suggest([method, path, sent = {}]: Sent, { before, ...options }: Setting = {}) {
  const client = await start({ world: twoOrganizations, ...options })
  await before?.(client.simulator)
  await client.send(method, path, sent).catch(() => {})
  return (await client.simulator.explain(1)).would_succeed
}

/** The suggestion for a request in a line: method, path, label of the key and body. */
async function suggestLine(sent: Sent, setting: Setting = {}): Promise<string | null> {
  const suggested = await suggest(sent, setting)
  if (suggested === null) return null
  const { method, path, key, body } = suggested
  return `${method} ${path} (${key?.label})${body === null ? '' : ` ${JSON.stringify(body)}`}`
}

const json = { 'content-type': 'application/json' }
const plugins = `/api/organizations/${acme}/plugins/`
const body = { content: 'x' }

test('a key that may do it replaces another one, and the rest of the request stays', async () => {
  const suggestions = [
    await suggest(['GET', `${annotationsPath}?limit=1&limit=2&a=%20b`, { key: 'phx_none' }]),
    await suggest(['DELETE', `${plugins}23/`, { key: 'phx_plugin_read' }]),
    await suggest(['POST', annotationsPath, { key: 'phx_gone', body }]),
  ]

  expect(suggestions).toEqual([
    {
      method: 'GET',
      path: `${annotationsPath}?limit=1&limit=2&a=+b`,
      key: { label: 'annotation:read', value: 'phx_…read' },
      headers: {},
      body: null,
    },
    {
      method: 'DELETE',
      path: `${plugins}23/`,
      key: { label: 'plugin:write', value: 'phx_…rite' },
      headers: {},
      body: null,
    },
    {
      method: 'POST',
      path: annotationsPath,
      key: { label: 'annotation:write', value: 'phx_…rite' },
      headers: json,
      body,
    },
  ])
})

test.each<[title: string, sent: Sent, expected: string | null]>([
  [
    'a method',
    ['PATCH', annotationsPath, { body }],
    `POST ${annotationsPath} (all) {"content":"x"}`,
  ],
  ['a read', ['PUT', `${annotationsPath}1/`], `GET ${annotationsPath}1/ (all)`],
  [
    'a write',
    ['POST', `${annotationsPath}1/`, { body }],
    `PATCH ${annotationsPath}1/ (all) {"content":"x"}`,
  ],
  ['an upgrade', ['GET', `${plugins}21/upgrade/`], `POST ${plugins}21/upgrade/ (all)`],
  [
    'a deletion',
    ['DELETE', `${annotationsPath}1/`],
    `PATCH ${annotationsPath}1/ (all) {"deleted":true}`,
  ],
  [
    'an unknown list',
    ['GET', '/api/projects/9/annotations/?limit=1'],
    `GET ${annotationsPath}?limit=1 (all)`,
  ],
  [
    'a row of another project',
    ['GET', '/api/projects/2/annotations/1'],
    `GET ${annotationsPath}1/ (all)`,
  ],
  [
    'an unknown row',
    ['GET', `${annotationsPath}999/?limit=1`],
    `GET ${annotationsPath}?limit=1 (all)`,
  ],
  ['an unknown organization', ['GET', '/api/organizations/x/plugins/7/'], `GET ${plugins} (all)`],
  [
    'a project of a key',
    ['GET', '/api/projects/9/annotations/', { key: 'phx_project_1' }],
    `GET ${annotationsPath} (project_1)`,
  ],
  ['an unknown row to change', ['PATCH', `${annotationsPath}999/`, { body }], null],
  ['an unknown row to delete', ['DELETE', `${annotationsPath}999/`], null],
  ['an unknown plugin to delete', ['DELETE', `${plugins}999/`], null],
  [
    'a row of another project to change',
    ['PATCH', '/api/projects/2/annotations/1/', { body }],
    null,
  ],
  ['an unknown project to write to', ['POST', '/api/projects/99/annotations/', { body }], null],
  ['a row of an unknown project to delete', ['DELETE', '/api/projects/99/annotations/2/'], null],
  [
    'an upgrade in an unknown organization',
    ['GET', '/api/organizations/x/plugins/21/upgrade/'],
    null,
  ],
  [
    'a suffix',
    ['GET', '/api/projects/1/annotations.json/?limit=1'],
    `GET ${annotationsPath}?limit=1 (all)`,
  ],
  [
    'a misspelt path',
    ['GET', '/api/projects/2/anotations/7'],
    'GET /api/projects/2/annotations/7/ (all)',
  ],
  ['a word too few', ['GET', '/api/project/'], 'GET /api/projects/ (all)'],
  ['a path without an id', ['GET', '/api/organizations//plugin/'], `GET ${plugins} (all)`],
  [
    'an unknown word',
    ['POST', annotationsPath, { body: { scope: 'projct', ...body } }],
    `POST ${annotationsPath} (all) {"scope":"project","content":"x"}`,
  ],
  [
    'a word that is far from all',
    ['POST', annotationsPath, { body: { scope: 'telescope-xyz' } }],
    `POST ${annotationsPath} (all) {}`,
  ],
  [
    'a list as a text',
    ['POST', annotationsPath, { body: { content: [], deleted: true } }],
    `POST ${annotationsPath} (all) {"deleted":true}`,
  ],
  [
    'a long text',
    ['PATCH', `${annotationsPath}1/`, { body: { content: 'é😀'.repeat(201), scope: 'tag' } }],
    `PATCH ${annotationsPath}1/ (all) ${JSON.stringify({ content: 'é😀'.repeat(200) })}`,
  ],
  [
    'a long number',
    ['PATCH', `${plugins}21/`, { body: { icon: '9'.repeat(801) } }],
    `PATCH ${plugins}21/ (all) {"icon":"${'9'.repeat(800)}"}`,
  ],
  [
    'a list of objects',
    ['POST', annotationsPath, { body: [body, {}] }],
    `POST ${annotationsPath} (all) {"content":"x"}`,
  ],
  [
    'a list of numbers',
    ['POST', annotationsPath, { body: [1] }],
    `POST ${annotationsPath} (all) {}`,
  ],
  [
    'a text in single quotation marks, with an escaped one',
    ['POST', annotationsPath, { raw: String.raw`{'content': 'It\'s out'}`, headers: json }],
    `POST ${annotationsPath} (all) {"content":"It's out"}`,
  ],
  [
    'null',
    ['POST', annotationsPath, { raw: 'null', headers: json }],
    `POST ${annotationsPath} (all) {}`,
  ],
])('%s is corrected', async (_title, sent, expected) => {
  expect(await suggestLine(sent)).toBe(expected)
})

test.each<[title: string, sent: Sent, setting: Setting, expected: string | null]>([
  [
    'a missing field',
    ['POST', plugins, { body: { url: 'a' } }],
    { policies: { 'plugins.create.required': 'name' } },
    `POST ${plugins} (all) {"url":"a","name":"Example"}`,
  ],
  [
    'a wrong parameter',
    ['GET', `${annotationsPath}?limit=-1&offset=2&limits=3`],
    { policies: { 'lists.limit.invalid': 'refused' } },
    `GET ${annotationsPath}?offset=2&limits=3 (all)`,
  ],
  [
    'a parameter of a lookup',
    ['GET', `${annotationsPath}1/?search=zzz&limit=1`],
    { policies: { 'annotations.search.reach': 'every_lookup' } },
    `GET ${annotationsPath}1/?limit=1 (all)`,
  ],
  [
    'a format',
    ['GET', `${annotationsPath}?format=xml`],
    { policies: { 'paths.format': 'on' } },
    `GET ${annotationsPath} (all)`,
  ],
  [
    'a plugin without a url',
    ['POST', plugins, { body: { name: 'x' } }],
    { policies: { 'plugins.create.install': 'from_url' } },
    `POST ${plugins} (all) {"name":"x","plugin_type":"source"}`,
  ],
  [
    'an unknown project token',
    ['GET', `${annotationsPath}?token=phc_unknown&limit=1`],
    { policies: { 'projects.token': 'read' } },
    `GET ${annotationsPath}?limit=1 (annotation:read)`,
  ],
  [
    'a method that only unscoped keys can use',
    ['POST', `${annotationsPath}1/`, { body }],
    { profile: 'live' },
    `PATCH ${annotationsPath}1/ (all) {"content":"x"}`,
  ],
  [
    'too many requests',
    ['GET', annotationsPath],
    { before: ({ faults }) => faults.add({ effect: { error: 'throttled' } }) },
    null,
  ],
  ['a large body', ['POST', annotationsPath, { body }], { policies: { 'limits.body': 5 } }, null],
  [
    'a delayed response',
    ['GET', `${annotationsPath}999/`],
    { before: ({ faults }) => faults.add({ effect: { delay_ms: 1 } }) },
    `GET ${annotationsPath} (all)`,
  ],
  [
    'a response that breaks off',
    ['GET', `${annotationsPath}999/`],
    { before: ({ faults }) => faults.add({ effect: { cut_bytes: 1 } }) },
    null,
  ],
])('%s is corrected by the policies', async (_title, sent, setting, expected) => {
  expect(await suggestLine(sent, setting)).toBe(expected)
})

const keys = [
  { value: 'phx_noor', label: 'noor', user: 2, scopes: ['annotation:read'] },
  { value: 'phx_full', label: 'full', user: 1, scopes: ['*'] },
  { value: 'phx_old', label: 'old', user: 1, scopes: null },
  { value: 'phx_two', label: 'two', user: 1, scopes: ['annotation:read', 'annotation:write'] },
  { value: 'phx_one', label: 'one', user: 1, scopes: ['plugin:read'] },
]

test.each([
  ['of the same user, with few scopes', 'phx_one', [], 'two'],
  ['of the same user, with all scopes', 'phx_one', ['phx_two'], 'full'],
  ['from before scopes existed', 'phx_one', ['phx_two', 'phx_full'], 'old'],
  ['of another user', 'phx_one', ['phx_two', 'phx_full', 'phx_old'], 'noor'],
  ['of any user, for an unknown key', 'phx_gone', [], 'noor'],
])('the suggested key is one %s', async (_title, key, revoked, label) => {
  const world = { ...twoOrganizations, keys } as typeof twoOrganizations
  const before = (simulator: Simulator) => revoked.map((value) => simulator.keys.revoke(value))

  const suggestion = await suggest(['GET', annotationsPath, { key }], { world, before })

  expect(suggestion?.key?.label).toBe(label)
})

test('a key that selects another sandbox is suggested only with the URL of a sandbox', async () => {
  const world = { ...twoOrganizations, keys } as typeof twoOrganizations
  const { ask, simulator } = await start({ world })
  const { id } = simulator.sandboxes.create({ keys: { two: 'phx_full' } })
  const inner = simulator.sandboxes.get(id) as Simulator
  simulator.keys.revoke('phx_two')
  await ask('GET', annotationsPath, { key: 'phx_one' })
  for (const { value } of inner.keys.list()) if (value !== 'phx_full') inner.keys.revoke(value)
  await ask('GET', `/__sandbox/${id}${annotationsPath}`, { key: 'phx_gone' })

  const labels = [await simulator.explain(1), await inner.explain(1)].map(
    ({ would_succeed }) => would_succeed?.key?.value,
  )

  expect(labels).toEqual(['phx_…', 'phx_…'])
  expect((await simulator.explain(1)).would_succeed?.key?.label).toBe('old')
})

test('of many keys, only the first ones are tried', async () => {
  const world = { ...twoOrganizations, keys: [] }
  const labelOf = async (count: number) => {
    const before = (simulator: Simulator) => {
      for (let number = 0; number < count; number++) {
        simulator.keys.issue({ value: `phx_ada_${number}`, user: 1, scopes: ['plugin:read'] })
      }
      simulator.keys.issue({ value: 'phx_noor', label: 'noor', user: 2, scopes: ['*'] })
    }
    return (await suggest(['GET', annotationsPath, { key: 'phx_ada_7' }], { world, before }))?.key
  }

  expect([(await labelOf(49))?.label, await labelOf(50)]).toEqual(['noor', undefined])
})

test('a key in the query moves into the header', async () => {
  const path = `${annotationsPath}999/?personal_api_key=phx_all&limit=1`

  const suggestion = await suggest(['GET', path, { key: null }], {
    policies: { 'keys.places': 'header_body_query' },
  })

  expect(suggestion).toEqual({
    method: 'GET',
    path: `${annotationsPath}?limit=1`,
    key: { label: 'all', value: 'phx_…' },
    headers: {},
    body: null,
  })
})

test('a key in a body moves into the header', async () => {
  const sent = { personal_api_key: 'phx_all', ...body, scope: 'projct' }
  const path = `${annotationsPath}?limit=1`

  const suggestion = await suggest(['POST', path, { key: null, body: sent }], {
    policies: { 'keys.places': 'header_body_query' },
  })

  expect(suggestion).toEqual({
    method: 'POST',
    path,
    key: { label: 'all', value: 'phx_…' },
    headers: json,
    body: { content: 'x', scope: 'project' },
  })
})

test('a key without a label has no label', async () => {
  const world = {
    ...twoOrganizations,
    keys: [{ value: 'phx_0123456789abcdef', user: 1, scopes: null }],
  }

  const { key } = (await suggest(['GET', annotationsPath, { key: null }], { world })) ?? {}

  expect(key).toEqual({ label: null, value: 'phx_…cdef' })
})

test('in a world without keys, nothing is suggested', async () => {
  const world = { ...twoOrganizations, keys: [] }

  expect(await suggest(['GET', annotationsPath], { world })).toBe(null)
})

test.each([
  ['', null],
  ['{"content": "x"', { content: 'x' }],
  ["{'content': 'x', 'scope': 'project'}", { content: 'x', scope: 'project' }],
  ["{'content': 'x'", { content: 'x' }],
  ['{content: "x", scope : "project"}', { content: 'x', scope: 'project' }],
  ['{"content": "x",}', { content: 'x' }],
  ['{"content": "x", "b": [1, 2,\n],\n}', { content: 'x', b: [1, 2] }],
  ['{"content": "it\'s"', { content: "it's" }],
  ['{"content": }', { content: null }],
  ['{"dashboard_item": NaN, "content": "x"}', { dashboard_item: null, content: 'x' }],
  ['{"dashboard_item": -Infinity}', { dashboard_item: null }],
  ['{"content": "x" "scope": "project"}', { content: 'x', scope: 'project' }],
  ['{"content": "x", "deleted": tru}', { content: 'x', deleted: true }],
  [
    "{'content': 'it's', 'deleted': False, 'dashboard_item': None}",
    { content: "it's", deleted: false, dashboard_item: null },
  ],
  ['{"content" = "x"}', { content: 'x' }],
  ['[{"content": "x"}]', { content: 'x' }],
  ['[]', {}],
  ['7', {}],
])('the body %j leads to %j', async (raw, expected) => {
  const suggestion = await suggest(['POST', annotationsPath, { raw, headers: json, key: 'phx_no' }])

  expect(suggestion).toMatchObject({ headers: expected === null ? {} : json, body: expected })
})

test.each(['content', '[', '{"content": Launch day}', '{"content": "x"} {}'])(
  'the body %j leads to nothing',
  async (raw) => {
    expect(await suggest(['POST', annotationsPath, { raw, headers: json }])).toBe(null)
  },
)

test('a form is suggested as JSON', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const raw = 'content=a+b&scope=projct'

  const suggestion = await suggest(['POST', annotationsPath, { raw, headers }], { profile: 'live' })

  expect(suggestion).toMatchObject({ headers: json, body: { content: 'a b', scope: 'project' } })
})

test('a body that the journal did not store leads to nothing', async () => {
  const long = { scope: 'projct', content: 'x'.repeat(2_000) }

  expect(
    await suggest(['POST', annotationsPath, { body: long }], { journal: { bytes: 1_000 } }),
  ).toBe(null)
})

test('a suggestion would have succeeded in place of the request, and succeeds now', async () => {
  const { ask, simulator } = await start()
  await ask('GET', `${annotationsPath}999/`)
  const before = (await simulator.explain(1)).would_succeed
  simulator.world.annotations.create({ id: 999 })
  simulator.keys.revoke('phx_all')

  const after = (await simulator.explain(1)).would_succeed

  expect([before?.path, after?.path]).toEqual([annotationsPath, annotationsPath])
  expect([before?.key?.label, after?.key?.label]).toEqual(['all', 'annotation:read'])
})

test('a request that was refused is not suggested because the policies have changed since', async () => {
  const { ask, simulator } = await start()
  await ask('GET', annotationsPath, { key: 'phx_none' })
  simulator.policies.set({ 'keys.empty_scopes': 'everything' })

  const { sentence, would_succeed } = await simulator.explain(1)

  expect(sentence).toBe('403: the key `none` lacks the scope annotation:read (it has no scopes)')
  expect(would_succeed?.key?.label).toBe('annotation:read')
})

test.each([
  ['GET', '/api/nothing/', null],
  ['DELETE', '/api/nothing/', null],
  ['GET', '/api/projects/1/foo/', null],
  ['DELETE', '/api/projects/1/annotation/3/', `PATCH ${annotationsPath}3/ (all) {"deleted":true}`],
])(
  '%s %s leads to an operation that is spelled alike, or to none',
  async (method, path, expected) => {
    expect(await suggestLine([method, path])).toBe(expected)
  },
)

test.each([
  ['POST', '/api/projects/'],
  ['PATCH', '/api/projects/1/annotations//'],
])('a write never becomes a read: %s %s', async (method, path) => {
  expect(await suggest([method, path, { body: { content: 'x' } }])).toBe(null)
})

test.each([
  ['text/plain', '{"content": "x"}', { content: 'x' }],
  ['text/plain', 'content=a+b&scope=project', { content: 'a b', scope: 'project' }],
  ['application/x-www-form-urlencoded', '{"content": "x"}', { content: 'x' }],
  ['text/plain', 'Launch', undefined],
])('a body of the type %s, %s, leads to %j as JSON', async (type, raw, expected) => {
  const headers = { 'content-type': type }

  const suggestion = await suggest(['POST', annotationsPath, { raw, headers }])

  expect(suggestion?.body).toEqual(expected)
})

test('the list of another organization is suggested to a user of both', async () => {
  const path = `/api/organizations/${initech}/plugins/7/`

  const setting = {
    before: ({ world }: Simulator) => void world.plugins.create({ id: 77, organization: initech }),
  }

  expect(await suggestLine(['GET', path, { key: 'phx_noor' }], setting)).toBe(
    `GET ${plugins} (null)`,
  )
})
