import { expect, test, vi } from 'vitest'
import { runTool, tools } from '../../src/cli/mcp/tools.ts'
import { connect } from '../../src/control/connect.ts'
import { annotationPath as annotation } from '../support/api/paths.ts'
import { run } from '../support/cli/command.ts'
import { startServe } from '../support/cli/serve.ts'
import { serve } from '../support/transports/start.ts'

/** Serves a simulator. @returns a function that calls a tool of its server, which says what an agent gets */
async function serveTools() {
  const remote = connect((await serve()).origin)
  return async (name: string, args: object = {}): Promise<unknown> => {
    const tool = tools.find((tool) => tool.name === name) as (typeof tools)[number]
    return JSON.parse(await runTool(tool, remote, tool.input.parse(args)))
  }
}

test('mcp that cannot speak the protocol says why, and its server ends', async () => {
  vi.doMock('@modelcontextprotocol/server/stdio', () => ({
    StdioServerTransport: class {},
    serveStdio() {
      throw new Error('There is no stdin.')
    },
  }))

  const { code, stdout, stderr } = await run(['mcp'])

  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/Understudy .* is serving[\s\S]*\nThere is no stdin\.\n$/)
})

test('a request is sent with the key of a label, with an unknown key, or without one', async () => {
  const call = await serveTools()
  const send = (key: string | null) =>
    call('send_request', { method: 'PATCH', path: annotation, key, body: { deleted: true } })

  const typed = await call('send_request', {
    ...{ method: 'POST', path: '/api/projects/1/annotations/?limt=2', body: {} },
    headers: { 'content-type': 'text/plain' },
  })

  expect(typed).toMatchObject({ status: 415, entry: 1 })
  expect(await send('annotations')).toMatchObject({ status: 200, body: { deleted: true } })
  expect(await send('annotation:read')).toMatchObject({ status: 403 })
  expect(await send('phx_unknown')).toMatchObject({ reason: '401: no key matches phx_u…' })
  expect(await send(null)).toMatchObject({ reason: '401: the request has no Authorization header' })
})

test('a connection that a fault breaks is a result', async () => {
  const call = await serveTools()
  const faults = await call('faults', {
    add: { operation: 'listProjects', effect: { drop: true } },
  })

  const sent = await call('send_request', { method: 'GET', path: '/api/projects/' })

  expect(faults).toMatchObject([{ id: 'fault-1', applied: 0 }])
  expect(sent).toMatchObject({ status: 0, broken: true, body: null })
  expect(await call('faults', { remove: 'fault-1' })).toEqual([])
})

test('rows, clock, keys and settings are read and changed', async () => {
  const call = await serveTools()
  const { annotations } = (await call('write_rows', {
    add: { annotations: [{ content: 'Launch' }] },
    update: { annotations: [{ id: 1, deleted: true }] },
    delete: { annotations: [2] },
  })) as { annotations: number[] }
  const row = await call('read_rows', { list: 'annotations', id: annotations[0] })
  const rows = await call('read_rows', { list: 'annotations', query: { deleted: true } })
  const deleted = await call('read_rows', { list: 'annotations', id: 2 })
  const failing = call('write_rows', {
    add: { annotations: [{}] },
    update: { annotations: [{ id: 3, deleted: true }] },
    delete: { annotations: [1, 99] },
  })
  await expect(failing).rejects.toThrow(
    'Failed to delete a row of annotations: expected an existing id, got 99.',
  )
  const clock = await call('clock', { set: '2024-01-01T00:00:00Z', advance: { hours: 1 } })
  const keys = await call('keys', { issue: { label: 'mine' }, revoke: 'phx_old' })
  const set = { 'annotations.delete.status': '404' }
  const settings = await call('settings', { text: 'delete.status', set })
  const short = (await call('settings')) as object[]

  expect(row).toMatchObject({ content: 'Launch' })
  expect(rows).toMatchObject({
    count: 2,
    rows: expect.arrayContaining([expect.objectContaining({ id: 1 })]),
  })
  expect(await call('read_rows', { list: 'annotations', query: { deleted: true } })).toEqual(rows)
  expect(deleted).toBeNull()
  expect(clock).toEqual({ mode: 'frozen', now: '2024-01-01T01:00:00Z' })
  expect(keys).toContainEqual(expect.objectContaining({ label: 'mine' }))
  expect(keys).not.toContainEqual(expect.objectContaining({ label: 'old' }))
  expect(settings).toMatchObject([{ value: '404', default: '405' }])
  expect(Object.keys(short[0] ?? {})).toEqual(['id', 'question', 'value'])
})

test('faults are replaced, a part is reset, and the journal lists its latest 20 requests', async () => {
  const call = await serveTools()
  const list = { method: 'GET', path: '/api/projects/?limt=1' }
  await call('faults', { add: { preset: 'outage' } })
  await call('faults', { remove: 'all', add: { preset: 'read-only' } })
  await call('write_rows', { delete: { annotations: [1] } })

  const sent = await Promise.all(Array.from({ length: 21 }, () => call('send_request', list)))
  await call('reset', { only: ['rows'] })

  expect(sent[0]).toMatchObject({ status: 200, ignored: ['?limt, did you mean limit?'] })
  expect(await call('faults')).toMatchObject([{ preset: 'read-only' }])
  expect(await call('read_rows', { list: 'annotations', id: 1 })).toMatchObject({ id: 1 })
  expect(await call('journal')).toHaveLength(20)
  expect(await call('journal', { filter: { limit: 1 } })).toMatchObject([{ id: 21, status: 200 }])
})

test('each tool works in a sandbox, too', async () => {
  const call = await serveTools()
  const [{ id, keys }] = (await call('sandboxes', { create: { from: 'empty' } })) as [
    { id: string; keys: { value: string }[] },
  ]
  const key = keys[0]?.value
  const inside = { method: 'GET', path: '/api/projects/', key, sandbox: id }

  expect(await call('read_rows', { list: 'annotations', sandbox: id })).toMatchObject({ count: 0 })
  expect(await call('send_request', inside)).toMatchObject({ status: 200, entry: 1 })
  expect(await call('report')).not.toMatchObject({ requests: 0 })
  expect(await call('sandboxes', { delete: id })).toEqual([])
  await expect(call('clock', { sandbox: id })).rejects.toThrow(`Sandbox ${id} not found.`)
})

test('a scenario is run by its name, or as an object', async () => {
  const call = await serveTools()
  const request = { as: 'all', method: 'DELETE', path: annotation, expect: { status: 404 } }
  const scenario = { title: 'DELETE deletes', world: 'odd', steps: [request] }
  const name = 'response-lost-after-create'

  expect(await call('run_scenario')).toContainEqual(expect.objectContaining({ name }))
  expect(await call('run_scenario', { scenario: name })).toEqual({
    passed: true,
    steps: 7,
    failed: [],
  })
  const options = { settings: { 'annotations.delete.status': '404' } }
  expect(await call('run_scenario', { scenario, options })).toMatchObject({ passed: true })
  expect(await call('run_scenario', { scenario })).toMatchObject({
    passed: false,
    failed: [{ step: 1, decided_by: [{ id: 'annotations.delete.status', would_be: '404' }] }],
  })
})

test('a result that is too long for an agent is refused', async () => {
  const call = await serveTools()
  const content = 'x'.repeat(400)
  await call('write_rows', {
    add: { annotations: Array.from({ length: 300 }, () => ({ content })) },
  })

  await expect(call('read_rows', { list: 'annotations', query: { limit: 300 } })).rejects.toThrow(
    'The result has 188930 characters, and at most 100000 are returned. Ask for less, for example with a limit.',
  )
})

test('mcp refuses a token that is wrong, and flags of a server, before it speaks the protocol', async () => {
  const { url } = await startServe(['--token', 'secret'])
  const runs = [
    await run(['mcp', '--target', url, '--token', 'wrong']),
    await run(['mcp', '--target', url, '--world', 'odd']),
  ]

  expect(runs.map(({ code, stdout }) => [code, stdout])).toEqual([
    [2, ''],
    [2, ''],
  ])
  expect(runs.map(({ stderr }) => stderr)).toEqual([
    expect.stringContaining('The token is wrong.'),
    '--world has no effect with --target. Pass it to serve.\n',
  ])
})
