import { expect, test } from 'vitest'
import { connectMcp } from '../../support/control/mcp-client.ts'
import { sendRawRequest as send } from '../../support/control/raw-request.ts'
import { start } from '../../support/lanes/start.ts'

const path = '/__admin/mcp'
const call = { name: 'addFaults', arguments: { preset: 'outage' } }
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

const attacks: readonly (readonly [string, Readonly<Record<string, string>>, number])[] = [
  ['a page of another site', { origin: 'https://evil.test' }, 403],
  ['a page of another port', { origin: 'http://127.0.0.1:1' }, 403],
  ['a page that hides its origin', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a page whose name points to this machine', { host: 'evil.test' }, 403],
  ['a form', { 'content-type': 'text/plain' }, 415],
]

test.each(attacks)('%s is refused, and no tool runs', async (_name, extra, status) => {
  const { origin, simulator } = await start()

  const response = await send(origin, 'POST', path, { ...headers, ...extra }, body)

  expect(response?.status).toBe(status)
  expect(simulator.faults.list()).toEqual([])
})

test('TRACE is refused', async () => {
  const { origin } = await start()

  const response = await send(origin, 'TRACE', path, headers)

  expect(response?.status).toBe(405)
})

test('a server with a token requires it', async () => {
  const { origin, simulator } = await start({}, { token: 'secret' })
  const authorization = 'Bearer secret'

  const without = await send(origin, 'POST', path, headers, body)
  const wrong = await send(origin, 'POST', path, { ...headers, authorization: 'Bearer x' }, body)
  const client = await connectMcp(origin, { authorization })
  await client.callTool(call)

  expect([without?.status, wrong?.status]).toEqual([401, 401])
  expect(simulator.faults.list()).toHaveLength(1)
})

test('a server that other machines can reach is closed without a token', async () => {
  const { origin } = await start({}, { host: '0.0.0.0' })

  const response = await send(origin, 'POST', path, headers, body)

  expect(response?.status).toBe(403)
})

test('other methods, bodies and protocols are refused', async () => {
  const { origin } = await start()
  const status = async (method: string, text?: string, extra = {}) =>
    (await send(origin, method, path, { ...headers, ...extra }, text))?.status

  expect(await status('GET')).toBe(405)
  expect(await status('DELETE')).toBe(405)
  expect(await status('POST', 'no JSON')).toBe(400)
  expect(await status('POST', '[]')).toBe(400)
  expect(await status('POST', body, { accept: 'text/html' })).toBe(406)
  expect(await status('POST', ' '.repeat(1_100_000))).toBe(413)
  expect(await status('POST', body, { 'mcp-protocol-version': '1999-01-01' })).toBe(400)
})

test('a client that leaves does not end the server', async () => {
  const { origin } = await start()
  const abort = new AbortController()

  const left = fetch(origin + path, { method: 'POST', headers, body, signal: abort.signal })
  abort.abort()
  await left.catch(Boolean)

  expect((await fetch(`${origin}/__admin/health`)).status).toBe(200)
})

test('llms.txt is read as the pages of the dashboard are, and nothing beside it', async () => {
  const { origin } = await start()

  const read = await send(origin, 'GET', '/__admin/llms.txt', {})
  const refused = await send(origin, 'GET', '/__admin/llms.txt', { host: 'evil.test' })
  const others = ['/__admin/SKILL.md', '/__admin/tools.ts', '/__admin/llms.txt/../sdk.ts']
  const statuses = others.map(async (path) => (await send(origin, 'GET', path, {}))?.status)

  expect(read).toMatchObject({
    status: 200,
    text: expect.stringContaining('- `listRows`: '),
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' },
  })
  expect(refused?.status).toBe(403)
  expect(await Promise.all(statuses)).toEqual([404, 404, 404])
})
