import { expect, test } from 'vitest'
import { callTool, connectMcp } from '../../support/control/mcp-client.ts'
import { start } from '../../support/lanes/start.ts'

const annotation = '/api/projects/1/annotations/1/'

test('a response is sent, found and explained', async () => {
  const { origin } = await start()
  const client = await connectMcp(origin)

  const sent = await callTool(client, 'sendRequest', { method: 'DELETE', path: annotation })
  const found = await callTool(client, 'listJournal', { status: '4xx' })
  const explained = await callTool(client, 'explainEntry', { id: 1 })

  const reason = '405: annotations cannot be deleted; send PATCH with {"deleted": true}'
  expect(sent).toMatchObject({ status: 405, entry: 1, reason, body: { attr: null } })
  expect(found).toMatchObject({
    items: [{ id: 1, request: `DELETE ${annotation}`, key: 'all', status: 405, reason }],
  })
  expect(explained).toMatchObject({
    entry: 1,
    sentence: reason,
    decided_by: { id: 'annotations.delete.status' },
    settings: expect.arrayContaining([expect.objectContaining({ id: 'errors.body' })]),
    would_succeed: { method: 'PATCH', body: { deleted: true } },
  })
})

test('a request is sent with the key of a label, with an unknown key, or without one', async () => {
  const { origin } = await start()
  const client = await connectMcp(origin)
  const send = (key: string | null) =>
    callTool(client, 'sendRequest', {
      method: 'PATCH',
      path: annotation,
      key,
      body: { deleted: true },
    })

  expect(await send('annotations')).toMatchObject({ status: 200, body: { deleted: true } })
  expect(await send('annotation:read')).toMatchObject({ status: 403, entry: 2 })
  expect(await send('phx_unknown')).toMatchObject({
    status: 401,
    reason: '401: no key matches phx_u…',
  })
  expect(await send(null)).toMatchObject({
    status: 401,
    reason: '401: the request has no Authorization header',
  })
})

test('of two keys with one label, a request gets the first one', async () => {
  const { origin, simulator } = await start()
  const [scopes, none] = [['annotation:read'], []]
  for (const each of [scopes, none]) simulator.keys.issue({ label: 'twin', scopes: each })
  const client = await connectMcp(origin)

  const sent = await callTool(client, 'sendRequest', {
    method: 'GET',
    path: annotation,
    key: 'twin',
  })

  expect(sent).toMatchObject({ status: 200, entry: 1 })
})

test('faults, clock, settings and snapshots are changed, and reset', async () => {
  const { origin, simulator } = await start()
  const client = await connectMcp(origin)
  const call = (name: string, args = {}) => callTool(client, name, args)

  await call('createSnapshot', { name: 'before' })
  simulator.world.annotations.create()
  await call('restoreSnapshot', { name: 'before' })
  await call('addFaults', { preset: 'outage' })
  await call('setClock', { now: '2024-01-01T00:00:00Z' })

  expect(simulator.world.annotations.count).toBe(8)
  expect(await call('advanceClock', { hours: 1 })).toEqual({
    mode: 'frozen',
    now: '2024-01-01T01:00:00Z',
  })
  expect(await call('setSettings', { settings: { 'annotations.delete.status': '404' } })).toEqual({
    'annotations.delete.status': '404',
  })
  expect(await call('listSettings', { text: 'delete.status' })).toMatchObject({
    items: [{ id: 'annotations.delete.status', value: '404', documented: '405' }],
  })
  expect(await call('sendRequest', { method: 'GET', path: '/api/projects/' })).toMatchObject({
    status: 503,
  })
  expect(await call('resetWorld')).toEqual({ done: true })
  expect(simulator.faults.list()).toEqual([])
})

test('a connection that a fault breaks is a result', async () => {
  const { origin, simulator } = await start()
  simulator.faults.add({ operation: 'listProjects', effect: { drop: true } })
  const client = await connectMcp(origin)

  const sent = await callTool(client, 'sendRequest', { method: 'GET', path: '/api/projects/' })

  expect(sent).toMatchObject({ status: 0, broken: true, body: null })
})

test('a request to another sandbox has no entry here, also if an older one looks alike', async () => {
  const { origin, simulator } = await start()
  const { keys } = simulator.sandboxes.create()
  const client = await connectMcp(origin)
  const send = (key: string) =>
    callTool(client, 'sendRequest', { method: 'GET', path: '/api/projects/', key })

  expect(await send('all')).toMatchObject({ status: 200, entry: 1 })
  expect(await send(keys[0]?.value ?? '')).toMatchObject({ status: 200, entry: null })
})

test('a scenario is run, and its differences are explained', async () => {
  const { origin } = await start()
  const client = await connectMcp(origin)
  const scenario = {
    title: 'DELETE deletes',
    steps: [{ as: 'all', method: 'DELETE', path: annotation, expect: { status: 404 } }],
  }

  expect(
    await callTool(client, 'replayScenario', { scenario: 'response-lost-after-create' }),
  ).toEqual({
    title: 'An annotation is created, but the response is lost',
    passed: true,
    steps: 7,
    not_passed: [],
  })
  expect(await callTool(client, 'replayScenario', { scenario })).toMatchObject({
    passed: false,
    not_passed: [{ step: 1, decided_by: [{ id: 'annotations.delete.status', would_be: '404' }] }],
  })
})

const mistakes = [
  ['listRows', {}, 'Failed to call listRows: missing argument "list". One of organizations,'],
  ['listRows', { list: 'annotation' }, 'Did you mean "annotations"?'],
  ['listSettings', { text: 5 }, 'text: expected string, got 5'],
  [
    'readClock',
    { now: true },
    'Failed to call readClock: unknown option "now". There are no options.',
  ],
  ['listJournal', { statsu: '404' }, 'unknown option "statsu". Did you mean "status"?'],
  ['sendRequest', { method: 'GET', path: 'https://evil.test/' }, 'path: expected a path such as'],
  ['sendRequest', { method: 'GET' }, 'path: expected string, got nothing'],
  ['sendRequest', { method: 'GET', path: '/__admin/health' }, 'expected a path of the API'],
  ['sendRequest', { method: 'GET', path: '/x/../__admin/keys' }, 'expected a path of the API'],
  ['sendRequest', { method: 'GET', path: '/x/%2e%2e/__admin/' }, 'expected a path of the API'],
  ['sendRequest', { method: 'GET', path: '/__sandbox/a/__admin' }, 'expected a path of the API'],
  [
    'sendRequest',
    { method: 'GET', path: '/api/', body: {} },
    'cannot be sent: fetch sends no body with GET.',
  ],
  [
    'sendRequest',
    { method: 'GET', path: '/api/', key: 'ключ' },
    'sent: the header authorization has a character',
  ],
  [
    'sendRequest',
    { method: 'GET', path: '/api/', headers: { 'a b': '' } },
    'sent: "a b" is not the name',
  ],
  ['retrieveJournalEntry', { id: 'x' }, 'Entry "x" not found: expected the number of an entry.'],
  ['restoreSnapshot', { name: 'none' }, 'Snapshot none not found'],
  [
    'replayScenario',
    { scenario: 'response-lost-after-creat' },
    'Did you mean response-lost-after-create?',
  ],
  ['replayScenario', { scenario: 'nope' }, 'the name of a scenario, one of "'],
  [
    'replayScenario',
    { scenario: 'response-lost-after-create', world: 'nope' },
    'fixture, a snapshot',
  ],
] as const

test.each(mistakes)('%s with %j says what to do', async (name, args, message) => {
  const { origin } = await start()
  const client = await connectMcp(origin)

  await expect(callTool(client, name, args)).rejects.toThrow(message)
})

test('unknown tools and resources are errors of the protocol', async () => {
  const { origin } = await start()
  const client = await connectMcp(origin)

  await expect(callTool(client, 'listRow')).rejects.toThrow('Did you mean listRows?')
  await expect(client.readResource({ uri: 'understudy://docs/package.json' })).rejects.toThrow(
    'Did you mean understudy://docs/README.md?',
  )
})

test('a result that is too long for an agent is refused', async () => {
  const { origin, simulator } = await start()
  const content = 'x'.repeat(400)
  simulator.addRows({ annotations: Array.from({ length: 300 }, () => ({ content })) })
  const client = await connectMcp(origin)

  await expect(callTool(client, 'listRows', { list: 'annotations', limit: 300 })).rejects.toThrow(
    'at most 100000 are returned. Ask for less',
  )
})

test('every document is a resource', async () => {
  const { origin } = await start()
  const client = await connectMcp(origin)
  const { resources } = await client.listResources()

  const read = await Promise.all(resources.map(({ uri }) => client.readResource({ uri })))

  expect(resources.length).toBeGreaterThan(5)
  for (const { contents } of read) expect((contents[0] as { text: string }).text).toMatch(/^# /)
})

test('below the URL of a sandbox, the tools reach the sandbox only', async () => {
  const { origin, simulator } = await start()
  const { id } = simulator.sandboxes.create({ from: 'empty' })
  const client = await connectMcp(`${origin}/__sandbox/${id}`)

  await callTool(client, 'addFaults', { preset: 'outage' })

  expect(await callTool(client, 'listRows', { list: 'annotations' })).toMatchObject({ count: 0 })
  expect(simulator.faults.list()).toEqual([])
})

test.each(['2025-11-25', '2026-07-28'])('clients of %s list the same tools', async (version) => {
  const { origin } = await start()
  const client = await connectMcp(origin, {}, version)

  const { tools } = await client.listTools()

  expect(client.getNegotiatedProtocolVersion?.()).toBe(version)
  expect(tools.length).toBeGreaterThan(15)
  for (const { inputSchema } of tools) expect(inputSchema).not.toHaveProperty('anyOf')
  expect(JSON.stringify(tools).length).toBeLessThan(16_000)
})
