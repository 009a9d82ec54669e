import { statSync } from 'node:fs'
import process from 'node:process'
import { expect, test } from 'vitest'
import { connect } from '../../src/admin/connect.ts'
import { describeTool, instructionsFor, runTool, tools } from '../../src/mcp/serve-tools.ts'
import type { Scenario } from '../../src/scenarios/format/scenario.ts'
import {
  acme,
  annotationPath as annotation,
  annotationsPath as list,
} from '../support/api/paths.ts'
import { temporaryFolder } from '../support/files.ts'
import { serve } from '../support/transports/start.ts'

/** Serves a simulator. @returns a function that calls a tool of its server, which says what an agent gets */
async function serveTools() {
  const remote = connect((await serve()).origin)
  let calls = 0
  return async (name: string, args: object = {}): Promise<unknown> => {
    const tool = tools.find((tool) => tool.name === name) as (typeof tools)[number]
    return JSON.parse(await runTool(tool, remote, args, String(++calls)))
  }
}

/** An error whose message has this text. */
const errorWith = (text: string) =>
  expect.objectContaining({ message: expect.stringContaining(text) })

test('an agent learns the URL and the keys', async () => {
  const call = await serveTools()

  expect(await call('overview')).toMatchObject({
    url: expect.stringContaining('http://127.0.0.1:'),
    keys: expect.arrayContaining([{ label: 'all', value: 'phx_all', scopes: ['*'] }]),
    projects: expect.arrayContaining([expect.objectContaining({ id: 1 })]),
    faults: [],
  })
  const { url } = (await call('overview')) as { url: string }
  expect(await call('send_request', { path: `${url}${list}` })).toMatchObject({ status: 200 })
})

test('parallel calls have their own entries, and those of a sandbox theirs', async () => {
  const call = await serveTools()
  const { id, key } = (await call('sandboxes', { create: 'mine' })) as Record<string, string>
  const bodies = [{ content: 'a' }, { scope: 'x' }, { content: 'b' }, 'text', '{"content": "c"}']
  const send = (body: unknown) => call('send_request', { method: 'POST', path: list, body })

  const sent = (await Promise.all(bodies.map(send))) as { status: number; reason: string | null }[]
  const read = { method: 'GET', path: `${list}?offset=1`, key, query: { limit: 1 } }
  const inside = await call('send_request', { ...read, sandbox: id })
  const outside = await call('send_request', read)

  expect(sent.map(({ status }) => status)).toEqual([201, 400, 201, 400, 201])
  for (const { status, reason } of sent) expect(reason === null).toBe(status === 201)
  expect(new Set(sent.map((result) => Reflect.get(result, 'entry'))).size).toBe(5)
  expect(inside).toMatchObject({ status: 200, entry: 1, body: { results: [expect.anything()] } })
  expect(outside).toMatchObject({ entry: null, hint: expect.stringContaining('pass sandbox, too') })
  expect(await call('sandboxes')).toMatchObject([{ id, expires_at: null }])
  expect(await call('sandboxes', { delete: 'mine' })).toEqual([])
})

const two = { annotations: [2] }
const change = { method: 'patch', path: annotation, body: { deleted: true } }

// What models call before they have read a schema.
test.for<[name: string, args: object, result: object]>([
  ['send_request', { path: `GET ${list}?limit=1` }, { body: { results: { length: 1 } } }],
  ['send_request', { path: list, query: 'limit=2&offset=5' }, { body: { results: { length: 1 } } }],
  ['send_request', { path: list, key: 'Bearer phx_annotation_read' }, { status: 200 }],
  ['send_request', { path: list, key: null, body: {}, headers: null }, { status: 200 }],
  [
    'send_request',
    { method: 'POST', path: list, body: '{"a": ' },
    { reason: expect.stringContaining('is not valid JSON') },
  ],
  ['send_request', { url: list, params: { limit: 2 }, as: 'annotation:read' }, { status: 200 }],
  ['send_request', { method: 'POST', path: list, json: { content: 'x' } }, { status: 201 }],
  ['send_request', { ...change, key: 'annotations' }, { status: 200, body: { deleted: true } }],
  ['send_request', { ...change, key: 'annotation:read' }, { status: 403 }],
  ['send_request', { ...change, key: 'phx_unknown' }, { reason: '401: no key matches phx_u…' }],
  ['send_request', { ...change, key: '' }, { reason: expect.stringMatching('no Authorization') }],
  ['send_request', { ...change, headers: { 'Content-Type': 'application/json' } }, { status: 200 }],
  ['send_request', { ...change, headers: { 'CONTENT-TYPE': 'text/plain' } }, { status: 415 }],
  ['send_request', { ...change, headers: { Authorization: 'Bearer phx_none' } }, { status: 403 }],
  ['send_request', { ...change, headers: { authorization: 'Bearer phx_no' } }, { status: 401 }],
  ['send_request', { ...change, body: { delete: 1 } }, { ignored: [expect.any(String)] }],
  ['explain', {}, { depends_on: [{ id: 'methods.put' }, { id: 'headers.allow' }] }],
  ['explain', { id: 1 }, { status: 405 }],
  ['explain', { entryId: [1] }, { status: 405 }],
  ['journal', { status: 405 }, { total: 1 }],
  ['journal', { entry: 1 }, { id: 1 }],
  ['journal', { method: 'delete', path: '/api/projects/' }, { total: 1 }],
  ['journal', { method: 'GET' }, { total: 0 }],
  ['report', { settings: 'true' }, { settings: expect.any(Array) }],
  ['read_rows', { table: 'annotations', deleted: true }, { count: 1 }],
  ['read_rows', { list: 'annotations', id: null, query: null, sandbox: null }, { count: 8 }],
  ['read_rows', { list: 'annotations', id: '1' }, { id: 1 }],
  ['read_rows', { list: ['dashboard_items'], query: 'signups' }, { count: 1 }],
  ['write_rows', { update: '{"annotations": {"id": "2"}}', add: null }, { updated: two }],
  ['write_rows', { delete: { annotations: ['2'] } }, { deleted: two }],
  ['write_rows', { delete: { annotations: [{ id: 2 }] } }, { deleted: two }],
  [
    'write_rows',
    { update: { organizations: { id: acme } } },
    { updated: { organizations: [acme] } },
  ],
  ['write_rows', { revoke_key: 'phx_old' }, { revoked: 'phx_old' }],
  ['write_rows', { issueKey: { label: 'mine', value: 'phx_mine' } }, { key: 'phx_mine' }],
  ['write_rows', { add: { annotations: { content: 'x' } } }, { added: { annotations: [9] } }],
  ['faults', { operation: 'listPlugins', effect: { drop: true } }, [{ operation: 'listPlugins' }]],
  ['faults', { preset: 'throttled' }, [{ preset: 'throttled' }]],
  ['faults', { add: '{"effect": {"status": 503}}' }, [{ effect: { status: 503 } }]],
  ['faults', { add: ['outage', 'throttled'] }, [{ preset: 'throttled' }, { preset: 'outage' }]],
  ['faults', { clear: true }, []],
  ['faults', { remove: 'all', add: 'outage' }, [{ preset: 'outage' }]],
  ['settings', { id: 'annotations.delete.status' }, [{ id: 'annotations.delete.status' }]],
  ['settings', { text: 'limits' }, { 2: { values: expect.any(Array) } }],
  ['settings', { text: 'plugins' }, { 0: expect.toSatisfy((found) => !('values' in found)) }],
  ['settings', { profile: 'live' }, { 0: { before: '405', value: '405_empty' } }],
  ['settings', { text: 'DELETE use patch' }, [{ id: 'annotations.delete.status' }]],
  [
    'settings',
    { set: { profile: 'live', 'annotations.delete.status': 404 } },
    { 0: { value: '404' } },
  ],
  ['reset', { only: 'rows', clock: { advance: { hours: 1 } } }, { reset: ['rows'] }],
  ['reset', { world: 'empty', clock: 'real' }, { journal_cleared: true, rows: { plugins: 0 } }],
  ['sandboxes', { create: 'mine' }, { name: 'mine' }],
  ['sandboxes', { create: '{"name": "mine", "from": "empty"}' }, { name: 'mine' }],
  ['sandboxes', { name: 'mine', from: 'empty' }, { name: 'mine' }],
  ['scenario', { name: 'delete-not-allowed' }, { passed: true }],
])('a guess is understood: %s %j', async ([name, args, result]) => {
  const call = await serveTools()
  if (/^(explain|journal|report)$/.test(name))
    await call('send_request', { method: 'DELETE', path: annotation })

  expect(await call(name, args)).toMatchObject(result)
})

test('what is too long is left out with its size, and never cut', async () => {
  const call = await serveTools()
  const config_schema = Array.from({ length: 900 }, (_, key) => ({ key, hint: 'x'.repeat(200) }))
  const path = '/api/organizations/018f2b6e-0000-7000-8000-00000000000a/plugins/'

  const body = { name: 'Big', config_schema }
  const sent = await call('send_request', { method: 'POST', path, body })
  const read = call('read_rows', { list: 'plugins', query: { search: 'Big' } })
  const fault = call('faults', { add: { effect: { status: 200, body: 'x'.repeat(60_000) } } })

  expect(sent).toMatchObject({
    ...{ status: 201, entry: 1, body: null },
    left_out: expect.stringMatching(/^The body has \d{6} characters:/),
  })
  await expect(read).rejects.toThrow(/^Its result has \d{6} characters, and the limit is 60000\./)
  await expect(fault).rejects.toThrow(/^The call was carried out\. Its result has /)
})

test('a connection that a fault breaks is a result', async () => {
  const call = await serveTools()
  await call('faults', { add: { operation: 'listProjects', effect: { drop: true } } })

  const sent = await call('send_request', { method: 'GET', path: 'api/projects/' })

  expect(sent).toMatchObject({ status: 0, broken: true, body: null, entry: 1 })
  expect(await call('faults')).toMatchObject([{ applied: 1 }])
  expect(await call('overview')).toMatchObject({ faults: ['fault-1'], clock: { mode: 'frozen' } })
  expect(await call('explain')).not.toHaveProperty('depends_on')
  expect(await call('faults', { remove: 'fault-1' })).toEqual([])
})

test('what would succeed can be sent', async () => {
  const call = await serveTools()
  const refused = { method: 'GET', path: list, key: 'none' }
  const { entry } = (await call('send_request', refused)) as { entry: number }

  const { would_succeed } = (await call('explain', { entry })) as { would_succeed: object }
  expect(would_succeed).toMatchObject({ key: 'annotation:read' })

  const sent = await call('send_request', would_succeed)
  expect(sent).toMatchObject({ status: 200 })
  expect(sent).not.toHaveProperty('broken')
  expect(await call('explain')).toMatchObject({ would_succeed: null })
})

test('rows and keys are changed, and a change says what it did', async () => {
  const call = await serveTools()
  const written = await call('write_rows', {
    add: { annotations: Array.from({ length: 21 }, () => ({ content: 'Launch' })) },
    update: { annotations: [{ id: 1, deleted: true }] },
    delete: { annotations: [2] },
    issue_key: { label: 'mine', value: 'phx_mine' },
    revoke_key: 'old',
  })
  const { keys } = (await call('overview')) as { keys: { label: string }[] }
  await call('write_rows', { update: { annotations: [{ id: 1, content: 'Updated alone' }] } })
  const row = await call('read_rows', { list: 'annotations', id: 1 })

  expect(row).toMatchObject({ content: 'Updated alone', deleted: true })
  const found = await call('read_rows', { list: 'annotations', query: 'Launch' })
  expect(found).toMatchObject({ count: 21, rows: { length: 20 } })
  expect(written).toEqual({
    added: { annotations: Array.from({ length: 21 }, (_, at) => 9 + at), keys: ['phx_mine'] },
    updated: { annotations: [1] },
    deleted: { annotations: [2] },
    ...{ key: 'phx_mine', revoked: 'old' },
  })
  expect(keys.map(({ label }) => label)).toContain('mine')
  expect(keys.map(({ label }) => label)).not.toContain('old')
})

test('what does not exist is an error that names what does, and changes nothing', async () => {
  const call = await serveTools()
  await call('sandboxes', { create: 'mine' })
  // The last item has an issue that would be listed first.
  const edit = [...Array(100).fill(5), { nonsense: 1 }]
  const change = { delete: { annotations: [2] }, revoke_key: 'old' }
  const calls: [string, object, string][] = [
    ['write_rows', { ...change, issue_key: { scopes: ['x'] } }, 'Failed to add rows: '],
    ['write_rows', { ...change, update: { annotations: [{ id: 99 }] } }, 'Failed to update '],
    ['write_rows', { revoke_key: 'keys' }, 'Key keys not found. There are all, annotations, '],
    ['faults', { remove: 'fault-99' }, 'Fault fault-99 not found.'],
    ['sandboxes', { delete: 'all' }, 'Sandbox all not found.'],
    ['read_rows', {}, 'Failed to call read_rows.\n  list: expected one of '],
    ['read_rows', { list: ['plugins', 'keys'] }, 'Failed to call read_rows.\n  list: expected '],
    ['scenario', { run: 'response-lost-after-creat' }, 'Did you mean response-lost-after-'],
    ['overview', { sandbox: 'sandbox-9' }, 'Sandbox sandbox-9 not found. There are mine.'],
    ['read_rows', { list: 'annotations', id: 99 }, 'Row 99 of annotations not found.'],
    ['journal', { id: 99 }, 'Entry 99 not found.'],
    ['journal', { url: list }, 'url: unknown field. Allowed: operation, key, status, '],
    ['faults', { status: 503, times: 1 }, 'status: unknown field. Did you mean "effect.status"?'],
    [
      'faults',
      { when: { operation: '' } },
      'unknown field. Did you mean "operation" beside "when"?',
    ],
    [
      'faults',
      { add: { effect: { edit } } },
      'Failed to add a fault.\n  effect.edit[0]: expected object',
    ],
    ['journal', { ...Array(10_000).fill(1) }, 'expected at most 1000 arguments, got 10000.'],
    ['report', { status: '4xx' }, 'status: unknown field. Allowed: after, settings, sandbox'],
    ['settings', { profile: 'life' }, 'got "life". Did you mean live?'],
    ['settings', { text: 'nonsense' }, 'No setting has nonsense. Their areas are annotations, '],
    ['send_request', { path: 'https://app.example.com/' }, 'path: expected a path of http://127.'],
    ['send_request', { path: list, key: 'all', headers: { authorization: 'x' } }, 'key: pass '],
  ]

  for (const [name, args, message] of calls) {
    await expect.soft(call(name, args), name).rejects.toThrow(errorWith(message))
  }
  expect(await call('write_rows', change)).toMatchObject({ revoked: 'old' })
})

test('a report after an entry has new mistakes only; a reset clears the journal, unless it has a clock alone', async () => {
  const call = await serveTools()
  const create = { method: 'POST', path: list, body: { content: 'Launch' } }
  await call('faults', { add: 'lost-create' })
  await call('send_request', create)
  const remove = { method: 'DELETE', path: annotation }
  const { entry } = (await call('send_request', remove)) as { entry: number }
  await call('send_request', { method: 'GET', path: '/api/projects/' })

  const before = await call('report')
  const after = await call('report', { after: entry })
  await call('send_request', create)
  const again = await call('report', { after: entry })
  await call('reset', { clock: '2024-01-01T00:00:00Z' })
  const clock = await call('reset', { clock: '{"advance": {"hours": 1}}' })
  const kept = await call('journal')
  const reset = await call('reset')

  expect(before).not.toHaveProperty('settings')
  expect(kept).toMatchObject({ total: 4 })
  expect(before).toMatchObject({ requests: 3, mistakes: [{ rule: 'swallowed-delete' }] })
  expect(after).toMatchObject({ mistakes: [] })
  expect(again).toMatchObject({ mistakes: [{ rule: 'repeated-create', entries: [1, 4] }] })
  expect(clock).toMatchObject({
    ...{ reset: [], journal_cleared: false },
    clock: { mode: 'frozen', now: '2024-01-01T01:00:00Z' },
  })
  expect(reset).toMatchObject({ journal_cleared: true, clock: { now: '2024-06-15T12:00:00Z' } })
  expect(await call('journal')).toMatchObject({ total: 0, hint: expect.stringContaining('http') })
})

test('the journal has its latest entries, and those after one', async () => {
  const call = await serveTools()
  const send = (path: string) => call('send_request', { method: 'GET', path })
  for (const path of ['/api/projects/', '/api/projects/']) await send(path)
  const nearest = { route: expect.any(String), difference: expect.any(String) }
  expect(await send('/api/project/')).toMatchObject({ nearest })

  const after = await call('journal', { after: 2, limit: 1 })
  expect(after).toEqual({ total: 1, entries: [expect.objectContaining({ id: 3, nearest })] })
  expect(await call('journal', { limit: 1 })).toMatchObject({ earlier: 2, entries: [{ id: 3 }] })
})

test('a scenario is run by its name, or as an object, and the journal becomes one', async () => {
  const call = await serveTools()
  const request = { as: 'all', method: 'DELETE', path: annotation, expect: { status: 404 } }
  const scenario = { title: 'DELETE deletes', world: 'odd', steps: [request] }
  const name = 'response-lost-after-create'
  const options = { settings: { 'annotations.delete.status': '404' } }

  expect(await call('scenario')).toContain(name)
  expect(await call('scenario', { run: `scenarios/${name}.json` })).toMatchObject({ passed: true })
  expect(await call('scenario', { run: JSON.stringify(scenario), options })).toMatchObject({
    passed: true,
  })
  expect(await call('scenario', { run: scenario })).toMatchObject({
    passed: false,
    failed: [{ step: 1, decided_by: [{ id: 'annotations.delete.status', would_be: '404' }] }],
  })
})

test('an incident of many requests is recorded, whole, and runs again', async () => {
  const file = `${temporaryFolder()}/incident.json`
  const call = await serveTools()
  for (let sent = 0; sent < 21; sent += 1) await call('send_request', { path: `${list}?limit=1` })

  const { scenario } = (await call('scenario', { record: true })) as { scenario: Scenario }
  const one = await call('scenario', { record: true, entries: [3] })
  const written = await call('scenario', { record: file })
  await call('send_request', { method: 'POST', path: list, body: { content: 'x' } })

  expect(scenario.steps).toHaveLength(21)
  expect(one).toMatchObject({ scenario: { steps: { length: 1 } } })
  expect(written).toEqual({ file, steps: 21, warnings: [] })
  expect(await call('journal')).toMatchObject({ total: 22, earlier: 2 })
  expect(statSync(file).mode & 0o44).toBe(process.platform === 'win32' ? 0o44 : 0)
  expect(await call('scenario', { run: scenario })).toMatchObject({ passed: true })
  expect(await call('scenario', { run: file })).toMatchObject({ passed: true, steps: 21 })
  await expect(call('scenario', { record: file })).rejects.toThrow(
    `${file} exists. Name a new file.`,
  )
})

test('the schemas of all tools are in the subset that every client takes, and short', () => {
  const allowed = ['type', 'description', 'properties', 'required', 'items', 'enum']
  const walk = (schema: object): string[] =>
    Object.entries(schema).flatMap(([name, part]) => {
      if (name === 'properties') return Object.values(part as object).flatMap(walk)
      const isAllowed = allowed.includes(name) && (name !== 'type' || typeof part === 'string')
      return [...(isAllowed ? [] : [name]), ...(name === 'items' ? walk(part) : [])]
    })
  const listed = JSON.stringify(tools.map(describeTool)) + instructionsFor('http://127.0.0.1:4010')

  expect(tools.flatMap((tool) => walk(describeTool(tool).inputSchema))).toEqual([])
  expect(tools.length).toBeLessThanOrEqual(13)
  // A token is about four characters.
  expect(listed.length / 4).toBeLessThan(1_800)
})
