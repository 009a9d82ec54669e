import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { cleanEnvironment } from '../support/cli/output.ts'
import { runProcess, startProcess, waitForExit } from '../support/cli/process.ts'
import { startServeProcess } from '../support/cli/serve.ts'
import { callTool } from '../support/control/mcp-client.ts'
import { freePort } from '../support/free-port.ts'
import { bin } from '../support/root.ts'

/** Connects the SDK's own client to a process. */
async function connectStdio(args: readonly string[], mode: 'legacy' | 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'mcp', ...args],
    env: cleanEnvironment() as Record<string, string>,
    stderr: 'ignore',
  })
  onTestFinished(() => client.close())
  await client.connect(transport)
  return client
}

test.each(['legacy', 'auto'] as const)(
  'a client that negotiates as %s uses a server of its own',
  async (mode) => {
    const client = await connectStdio(
      ['--data', 'crowded', '--set', 'annotations.delete.status=404'],
      mode,
    )

    const { tools } = await client.listTools()
    const sent = await callTool(client, 'sendRequest', {
      method: 'DELETE',
      path: '/api/projects/1/annotations/1/',
    })

    expect(tools.map(({ name }) => name)).toContain('listRows')
    expect(sent).toMatchObject({ status: 404, entry: expect.any(Number) })
  },
)

test('a client controls a server that runs, until the server ends', async () => {
  const server = await startServeProcess(['--token', 'secret'])
  const client = await connectStdio(['--target', server.url, '--token', 'secret'], 'legacy')

  await callTool(client, 'addFaults', { preset: 'outage' })
  const faulty = await fetch(`${server.url}/api/projects/`)
  const result = await callTool(client, 'replayScenario', {
    scenario: 'response-lost-after-create',
  })
  await server.stop('SIGTERM')

  expect(faulty.status).toBe(503)
  expect(result).toMatchObject({ passed: true })
  await expect(callTool(client, 'listKeys')).rejects.toThrow(
    'Start it with npx understudy-api serve.',
  )
  await expect(
    callTool(client, 'sendRequest', { method: 'GET', path: '/', key: null }),
  ).rejects.toThrow('Start it with npx understudy-api serve.')
})

test('SIGTERM ends the command with 0, and frees the port', async () => {
  const port = String(await freePort())
  const child = startProcess(['mcp', '--port', port])
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true)

  child.kill('SIGTERM')
  const { code, stdout } = await waitForExit(child)

  expect([code, stdout]).toEqual([0, ''])
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
})

test('a line that is no JSON-RPC gets an error, and the next one its response', async () => {
  const port = String(await freePort())
  const child = startProcess(['mcp', '--quiet', '--port', port])
  const list = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' })
  const wrong = JSON.stringify({ jsonrpc: '2.0', id: 6, method: 5 })
  child.stdin?.end(`no JSON\n\n{"id": 5, "a": 1}\n${wrong}\n${list}\n`)

  const { code, stdout, stderr } = await waitForExit(child)
  const [first, second, third, fourth] = stdout.split('\n').map((line) => line && JSON.parse(line))

  const messages = [
    'Failed to read line 1 of stdin: expected JSON.',
    'Failed to read line 3 of stdin: expected a message of JSON-RPC 2.0.',
    'Failed to read line 4 of stdin: expected a message of JSON-RPC 2.0.',
  ]
  expect([code, first, second, third, fourth.id]).toEqual([
    0,
    { jsonrpc: '2.0', id: null, error: { code: -32_700, message: messages[0] } },
    { jsonrpc: '2.0', id: 5, error: { code: -32_600, message: messages[1] } },
    { jsonrpc: '2.0', id: 6, error: { code: -32_600, message: messages[2] } },
    7,
  ])
  expect(stderr).toBe(`${messages.join('\n')}\n`)
})

test('a message of 11 MB is read, and a line of more than 128 MiB gets an error', async () => {
  const child = startProcess(['mcp', '--quiet'])
  const call = (id: number, length: number) => {
    const scenario = { title: 'x'.repeat(length), steps: [] }
    const params = { name: 'replayScenario', arguments: { scenario } }
    return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })
  }
  const list = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' })
  child.stdin?.end(`${call(5, 11_000_000)}\n${call(6, 135_000_000)}\n${list}\n`)

  const { code, stdout } = await waitForExit(child)
  const responses = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

  const message = 'Failed to read line 2 of stdin: expected at most 134217728 bytes.'
  expect(code).toBe(0)
  expect(responses.find(({ id }) => id === 5)).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringContaining('steps') }] },
  })
  expect(responses.find(({ id }) => id === null)).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32_600, message },
  })
  expect(responses.find(({ id }) => id === 7)).toMatchObject({
    result: { tools: expect.any(Array) },
  })
})

test('mistakes in flags are explained on stderr, and stdout stays empty', async () => {
  const server = await startServeProcess(['--token', 'secret'])
  const closed = `http://127.0.0.1:${await freePort()}`
  const port = new URL(server.url).port
  const runs: readonly (readonly [readonly string[], number, string])[] = [
    [['--port', port], 3, `Port ${port} is already in use`],
    [['--target', closed], 4, 'Start it with npx understudy-api serve.'],
    [['--target', server.url], 2, 'Send the token of the control API'],
    [['--target', server.url, '--token', 'wrong'], 2, 'The token is wrong.'],
    [['--target', 'nonsense'], 2, 'expected a URL such as http://127.0.0.1:4010'],
    [['--target', server.url, '--data', 'odd'], 2, '--data has no effect with --target'],
    [['--host', '0.0.0.0'], 2, 'Unknown option "--host"'],
    [['--data', 'nonsense'], 2, 'nonsense not found'],
  ]

  for (const [args, code, message] of runs) {
    const result = await runProcess(['mcp', ...args])

    expect({ ...result, args }).toEqual({
      code,
      stdout: '',
      stderr: expect.stringContaining(message),
      args,
    })
  }
})
