import { expect, test } from 'vitest'
import type { SimulatorOptions } from '../../../../src/sandbox/simulator-options.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { acme, annotationsPath, noon } from '../../../support/api/paths.ts'
import { twoOrganizations } from '../../../support/api/two-organizations.ts'
import { initOf, type RequestOptions } from '../../../support/lanes/client.ts'

type Sent = readonly [method: string, path: string, options?: RequestOptions]

/** Sends a request, and returns the suggestion for it. */
async function suggest([method, path, sent = {}]: Sent, options: SimulatorOptions = {}) {
  const simulator = createSimulator({ world: twoOrganizations, clock: noon, ...options })
  const response = await simulator.fetch(path, initOf(method, sent))
  return (await simulator.explain(response)).would_succeed
}

const json = { 'content-type': 'application/json' }
const plugins = `/api/organizations/${acme}/plugins/`
const all = { label: 'all', value: 'phx_…' }

test('a key that may do it replaces another one, and the rest of the request stays', async () => {
  const suggestions = [
    await suggest(['GET', `${annotationsPath}?limit=1&limit=2&a=%20b`, { key: 'phx_none' }]),
    await suggest(['DELETE', `${plugins}23/`, { key: 'phx_plugin_read' }]),
    await suggest(['POST', annotationsPath, { key: 'phx_gone', body: { content: 'x' } }]),
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
      body: { content: 'x' },
    },
  ])
})

test.each([
  ['GET', `${annotationsPath}999/?personal_api_key=phx_all&limit=1`, undefined, {}, null],
  [
    'PATCH',
    `${annotationsPath}999/?limit=1`,
    { personal_api_key: 'phx_all', content: 'x' },
    json,
    { content: 'x' },
  ],
  ['PATCH', `${annotationsPath}999/?limit=1`, { personal_api_key: 'phx_all' }, json, {}],
])('a key in the query or in the body of %s %s moves into the header', async (...row) => {
  const [method, path, sent, headers, body] = row

  const suggestion = await suggest([method, path, { key: null, ...(sent && { body: sent }) }], {
    policies: { 'keys.places': 'header_body_query' },
  })

  const expected = `${annotationsPath}5/?limit=1`
  expect(suggestion).toEqual({ method, path: expected, key: all, headers, body })
})

test('a key without a label has no label', async () => {
  const keys = [{ value: 'phx_0123456789abcdef', user: 1, scopes: null }]
  const world = { ...twoOrganizations, keys }

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
  ['[{"content": "x"}]', { content: 'x' }],
  ['[]', {}],
  ['7', {}],
])('the body %j leads to %j', async (raw, body) => {
  const suggestion = await suggest(['POST', annotationsPath, { raw, headers: json, key: 'phx_no' }])

  expect(suggestion).toMatchObject({ headers: body === null ? {} : json, body })
})

test.each(['content', '[', '{"content": }'])('the body %j leads to nothing', async (raw) => {
  expect(await suggest(['POST', annotationsPath, { raw, headers: json }])).toBe(null)
})

test('a form is suggested as JSON', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const raw = 'content=a+b&scope=projct'

  const suggestion = await suggest(['POST', annotationsPath, { raw, headers }], { profile: 'live' })

  expect(suggestion).toMatchObject({ headers: json, body: { content: 'a b', scope: 'project' } })
})

test('a body that the journal did not store leads to nothing', async () => {
  const body = { scope: 'projct', content: 'x'.repeat(2_000) }

  expect(await suggest(['POST', annotationsPath, { body }], { journal: { bytes: 1_000 } })).toBe(
    null,
  )
})

test.each([{ status: 503 }, { delay_ms: 1 }])(
  'after the fault %j, nothing is suggested',
  async (effect) => {
    const simulator = createSimulator()
    simulator.faults.add({ effect })
    await simulator.fetch(`${annotationsPath}999/`, initOf('GET', {}))

    expect((await simulator.explain(1)).would_succeed).toBe(null)
  },
)

test('the suggestion is about the current rows, keys and policies', async () => {
  const simulator = createSimulator()
  await simulator.fetch(`${annotationsPath}999/`, initOf('GET', {}))
  const before = (await simulator.explain(1)).would_succeed
  simulator.world.annotations.create({ id: 999 })
  simulator.keys.revoke('phx_all')

  const after = (await simulator.explain(1)).would_succeed

  expect([before?.path, after?.path]).toEqual([`${annotationsPath}5/`, `${annotationsPath}999/`])
  expect(after?.key?.label).toBe('annotation:read')
})
