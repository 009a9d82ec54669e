import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { cleanEnvironment } from '../support/cli/output.ts'
import { startProcess, waitForExit } from '../support/cli/process.ts'
import { startServeProcess } from '../support/cli/serve.ts'
import { freePort } from '../support/free-port.ts'
import { bin } from '../support/root.ts'

/** Connects the SDK's own client to a process. */
async function connectStdio(
  args: readonly string[] = [],
  mode: 'legacy' | 'auto' = 'legacy',
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'mcp', ...args],
    env: cleanEnvironment() as Record<string, string>,
    stderr: 'ignore',
  })
  await client.connect(transport)
  return client
}

/** Returns the result of a tool. @throws Error with the message of a refused call */
async function callTool(client: Client, name: string, args: object = {}): Promise<unknown> {
  const { content, isError } = await client.callTool({ name, arguments: { ...args } })
  const [{ text } = { text: '' }] = content as { text: string }[]
  if (isError) throw new Error(text)
  return JSON.parse(text)
}

let client: Client
const call = (name: string, args: object = {}) => callTool(client, name, args)

beforeAll(async () => {
  client = await connectStdio()
})
beforeEach(() => call('reset'))
afterAll(() => client.close())

test('each tool says what it does to a server', async () => {
  const { tools } = await client.listTools()
  const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))

  expect(client.getInstructions()).toMatch(/ at http:\/\/127\.0\.0\.1:\d+\.\n/)
  expect(hints).toMatchObject({
    explain: { readOnlyHint: true },
    send_request: { destructiveHint: false },
    reset: { destructiveHint: true },
  })
})

test.each([
  ['send_request', { method: 'GET', path: 'https://evil.test/' }, /^path: expected a path of http/],
  ['read_row', {}, 'Tool read_row not found. Did you mean "read_rows"?'],
])('%s with %j says what to do', async (name, args, message) => {
  await expect(call(name, args)).rejects.toThrow(message)
})

test('a server that runs is controlled, until it ends', async () => {
  const server = await startServeProcess(['--token', 'secret'])
  const other = await connectStdio(['--target', server.url, '--token', 'secret'], 'auto')
  onTestFinished(() => other.close())

  await callTool(other, 'faults', { add: { preset: 'outage' } })
  const { status } = await fetch(`${server.url}/api/projects/`)
  await server.stop('SIGTERM')

  expect(status).toBe(503)
  await expect(callTool(other, 'overview')).rejects.toThrow(
    `Failed to reach ${server.url}: expected a running server, got no response (ECONNREFUSED). Start it with npx understudy-api serve.`,
  )
})

test.each(['stdin', 'SIGTERM', '11 MB'] as const)('the end by %s frees the port', async (end) => {
  const port = String(await freePort())
  const child = startProcess(['mcp', '--port', port])
  const isServing = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isServing).toBe(true)

  if (end === 'stdin') child.stdin?.end()
  else if (end === 'SIGTERM') child.kill(end)
  // It ends before it has read them.
  else child.stdin?.on('error', () => {}).write('x'.repeat(11_000_000))
  const { code, stdout } = await waitForExit(child)

  expect([code, stdout]).toEqual([0, ''])
  expect(await isServing()).toBe(false)
})
