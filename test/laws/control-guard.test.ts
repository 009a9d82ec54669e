import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ListenOptions } from '../../src/server/listen.ts'
import { authorization } from '../support/api/headers.ts'
import { operations as all, controlPath } from '../support/control/examples.ts'
import { corsHeaders, sendRawRequest } from '../support/control/raw-request.ts'
import { type Started, startServer } from '../support/lanes/start.ts'

interface Attack {
  readonly name: string
  /** `$port` is replaced by the port of the server. */
  readonly headers: Readonly<Record<string, string>>
  readonly status: number
  readonly isForWrites?: boolean
}

/** Requests that a page of another site, or another machine, could send to a server on this machine. */
const attacks: readonly Attack[] = [
  { name: 'a foreign Host', headers: { host: '10.0.0.1:$port' }, status: 403 },
  { name: 'another name for this machine', headers: { host: 'evil.test:$port' }, status: 403 },
  {
    name: 'a name that starts with a loopback address',
    headers: { host: '127.0.0.1.evil.test:$port' },
    status: 403,
  },
  { name: 'a foreign Origin', headers: { origin: 'https://evil.test' }, status: 403 },
  { name: 'a page at another port', headers: { origin: 'http://127.0.0.1:1' }, status: 403 },
  { name: 'an opaque Origin', headers: { origin: 'null' }, status: 403 },
  { name: 'a cross-site page', headers: { 'sec-fetch-site': 'cross-site' }, status: 403 },
  { name: 'a same-site page', headers: { 'sec-fetch-site': 'same-site' }, status: 403 },
  {
    name: 'a form',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 415,
    isForWrites: true,
  },
  {
    name: 'a multipart form',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    status: 415,
    isForWrites: true,
  },
  {
    name: 'a text form',
    headers: { 'content-type': 'text/plain' },
    status: 415,
    isForWrites: true,
  },
]

const withToken: readonly Attack[] = [
  { name: 'no token', headers: {}, status: 401 },
  { name: 'a wrong token', headers: { authorization: 'Bearer other' }, status: 401 },
  { name: 'an API key', headers: authorization(), status: 401 },
  { name: 'another authorization scheme', headers: { authorization: 'Basic secret' }, status: 401 },
  {
    name: 'the token from a foreign page',
    headers: { authorization: 'Bearer secret', origin: 'https://evil.test' },
    status: 403,
  },
]

const exposed: readonly Attack[] = [
  { name: 'no token', headers: {}, status: 403 },
  {
    name: 'any token',
    headers: { authorization: 'Bearer secret' },
    status: 403,
  },
]

/** Every operation, of the server and of a sandbox, with a request that would succeed. */
const operations = all.flatMap(({ line, method, path, example }) =>
  ['', '/__sandbox/sandbox-1'].map((sandbox) => ({
    line: `${line} ${sandbox}`,
    method,
    body: JSON.stringify(example.body ?? {}),
    isOpen: path === '/health',
    path: sandbox + controlPath(path, example),
  })),
)

const restricted = operations.filter(({ isOpen }) => !isOpen)
const unrestricted = operations.filter(({ isOpen }) => isOpen)

/** One server, with a sandbox and a snapshot, for several tests, which verify that nothing changes. */
function shareServer(serving: ListenOptions): () => Started {
  let started: Started | undefined
  beforeAll(async () => {
    started = await startServer({}, serving)
    started.simulator.sandboxes.create()
    started.simulator.snapshots.save('clean')
  })
  afterAll(() => started?.close())
  return () => started as Started
}

const local = shareServer({})
const guarded = shareServer({ token: 'secret' })
const reachable = shareServer({ host: '0.0.0.0' })

/** Sends each attack and returns its status as `name: status`. Fails if the state of the server changed. */
async function attack(
  { origin, simulator }: Started,
  { method, path, body }: (typeof operations)[number],
  attempts: readonly Attack[],
): Promise<string[]> {
  const inner = simulator.sandboxes.get('sandbox-1')
  const state = () =>
    JSON.stringify([
      simulator.world,
      inner?.world,
      simulator.clock,
      simulator.clock.read(),
      simulator.sandboxes.list(),
      simulator.snapshots.list(),
      inner?.snapshots.list(),
      simulator.settings.values,
    ])
  const before = state()
  const isWrite = method !== 'GET'
  const responses: string[] = []
  for (const { name, headers, isForWrites } of attempts) {
    if (isForWrites && !isWrite) continue
    const response = await sendRawRequest(
      origin,
      method,
      path,
      { ...(isWrite && { 'content-type': 'application/json' }), ...headers },
      isWrite ? body : undefined,
    )
    const isSealed = corsHeaders(response).length === 0 && !response?.text.includes('phx_')
    responses.push(`${name}: ${response?.status}${isSealed ? '' : ', with data or CORS headers'}`)
  }
  expect(state()).toBe(before)
  return responses
}

const expected = (method: string, attempts: readonly Attack[]) =>
  attempts
    .filter(({ isForWrites }) => !isForWrites || method !== 'GET')
    .map(({ name, status }) => `${name}: ${status}`)

test.each(operations)('$line refuses other hosts, other origins and forms', async (operation) => {
  expect(await attack(local(), operation, attacks)).toEqual(expected(operation.method, attacks))
})

test.each(restricted)('$line requires the token of the server', async (operation) => {
  expect(await attack(guarded(), operation, withToken)).toEqual(
    expected(operation.method, withToken),
  )
})

test.each(restricted)(
  '$line is refused on an exposed server without a token',
  async (operation) => {
    expect(await attack(reachable(), operation, exposed)).toEqual(
      expected(operation.method, exposed),
    )
  },
)

test.each(unrestricted)(
  '$line is allowed without a token, but not for pages of other sites',
  async ({ method, path }) => {
    const headers = { host: 'box.lan' }
    const page = { ...headers, origin: 'https://evil.test' }
    const statuses = async ({ origin }: Started): Promise<(number | undefined)[]> => [
      (await sendRawRequest(origin, method, path, headers))?.status,
      (await sendRawRequest(origin, method, path, page))?.status,
      (await sendRawRequest(origin, 'POST', path, headers))?.status,
    ]

    expect(await statuses(guarded())).toEqual([200, 403, 401])
    expect(await statuses(reachable())).toEqual([200, 403, 403])
  },
)

test.each(operations)('$line refuses preflight requests', async ({ method, path }) => {
  const response = await sendRawRequest(local().origin, 'OPTIONS', path, {
    origin: 'http://localhost:3000',
    'access-control-request-method': method,
  })

  expect([response?.status, corsHeaders(response)]).toEqual([403, []])
})
