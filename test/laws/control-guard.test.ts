import { afterAll, beforeAll, expect } from 'vitest'
import { allControlEndpoints } from '../../src/server/control/endpoints.ts'
import type { ListenOptions } from '../../src/server/listen.ts'
import { controlPath, examples } from '../support/control/examples.ts'
import { corsHeaders, sendRawRequest } from '../support/control/raw-request.ts'
import { lane, type Started, socketTest, startServer } from '../support/lanes/start.ts'

interface Attack {
  readonly title: string
  /** `$port` is replaced by the port of the server. */
  readonly headers: Readonly<Record<string, string>>
  readonly status: number
  /** Whether only requests with a body are attacked this way. */
  readonly isForWrites?: boolean
}

/** Requests that foreign pages or other machines can send to a server on this machine. */
const foreignRequests: readonly Attack[] = [
  { title: 'a foreign Host', headers: { host: '10.0.0.1:$port' }, status: 403 },
  {
    title: 'a foreign name that resolves to this machine',
    headers: { host: 'evil.test:$port' },
    status: 403,
  },
  {
    title: 'a name that begins like this machine',
    headers: { host: '127.0.0.1.evil.test:$port' },
    status: 403,
  },
  { title: 'a foreign Origin', headers: { origin: 'https://evil.test' }, status: 403 },
  { title: 'a page at another port', headers: { origin: 'http://127.0.0.1:1' }, status: 403 },
  { title: 'an opaque Origin', headers: { origin: 'null' }, status: 403 },
  { title: 'a cross-site page', headers: { 'sec-fetch-site': 'cross-site' }, status: 403 },
  { title: 'a same-site page', headers: { 'sec-fetch-site': 'same-site' }, status: 403 },
  {
    title: 'a form',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 415,
    isForWrites: true,
  },
  {
    title: 'a multipart form',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    status: 415,
    isForWrites: true,
  },
  {
    title: 'a text form',
    headers: { 'content-type': 'text/plain' },
    status: 415,
    isForWrites: true,
  },
]

const badTokens: readonly Attack[] = [
  { title: 'no token', headers: {}, status: 401 },
  { title: 'a wrong token', headers: { authorization: 'Bearer other' }, status: 401 },
  { title: 'an API key', headers: { authorization: 'Bearer phx_all' }, status: 401 },
  { title: 'a token of another scheme', headers: { authorization: 'Basic secret' }, status: 401 },
  {
    title: 'the token from a foreign page',
    headers: { authorization: 'Bearer secret', origin: 'https://evil.test' },
    status: 403,
  },
]

const withoutServerToken: readonly Attack[] = [
  { title: 'no token', headers: {}, status: 403 },
  {
    title: 'any token',
    headers: { authorization: 'Bearer secret' },
    status: 403,
  },
]

/** A valid request to every endpoint, of the server and of a sandbox. */
const targets = allControlEndpoints.flatMap(({ id, method, path, scope }) =>
  ['', '/__sandbox/sandbox-1'].map((sandbox) => ({
    line: `${method} ${sandbox}${path}`,
    id,
    method,
    scope,
    path: sandbox + controlPath(path, examples[id] ?? {}),
  })),
)

const protectedTargets = targets.filter(({ scope }) => scope !== 'anyone')
const openTargets = targets.filter(({ scope }) => scope === 'anyone')

/** Starts a server with a sandbox and a snapshot for all tests with these options. Each test checks that it changes nothing. */
function serveForAll(options: ListenOptions): () => Started {
  let started: Started | undefined
  beforeAll(async () => {
    if (lane === 'in-process') return
    started = await startServer({}, options)
    started.simulator.sandboxes.create()
    started.simulator.snapshots.save('clean')
  })
  afterAll(() => started?.close())
  return () => started as Started
}

const local = serveForAll({})
const withServerToken = serveForAll({ token: 'secret' })
const onNetwork = serveForAll({ host: '0.0.0.0' })

/** Sends each attack, and returns its title and status. Checks that the state does not change. */
async function attack(
  { origin, simulator }: Started,
  { id, method, path }: (typeof targets)[number],
  attacks: readonly Attack[],
): Promise<string[]> {
  const sandbox = simulator.sandboxes.get('sandbox-1')
  const state = () =>
    JSON.stringify([
      simulator.world,
      sandbox?.world,
      simulator.clock,
      simulator.clock.read(),
      simulator.sandboxes.list(),
      simulator.snapshots.list(),
      sandbox?.snapshots.list(),
      simulator.policies.settings,
    ])
  const before = state()
  const body = JSON.stringify(examples[id]?.body ?? {})
  const isWrite = method !== 'GET'
  const results: string[] = []
  for (const { title, headers, isForWrites } of attacks) {
    if (isForWrites && !isWrite) continue
    const response = await sendRawRequest(
      origin,
      method,
      path,
      { ...(isWrite && { 'content-type': 'application/json' }), ...headers },
      isWrite ? body : undefined,
    )
    const revealsNothing = corsHeaders(response).length === 0 && !response?.text.includes('phx_')
    results.push(`${title}: ${response?.status}${revealsNothing ? '' : ', and reveals something'}`)
  }
  expect(state()).toBe(before)
  return results
}

const expectedResults = (method: string, attacks: readonly Attack[]) =>
  attacks
    .filter(({ isForWrites }) => !isForWrites || method !== 'GET')
    .map(({ title, status }) => `${title}: ${status}`)

socketTest.each(targets)(
  '$line rejects foreign pages and other machines (over HTTP only: a server has it)',
  async (target) => {
    const results = await attack(local(), target, foreignRequests)

    expect(results).toEqual(expectedResults(target.method, foreignRequests))
  },
)

socketTest.each(protectedTargets)(
  '$line requires the token of the server (over HTTP only: a server has it)',
  async (target) => {
    const results = await attack(withServerToken(), target, badTokens)

    expect(results).toEqual(expectedResults(target.method, badTokens))
  },
)

socketTest.each(protectedTargets)(
  '$line is disabled on a network server without a token (over HTTP only: a server has it)',
  async (target) => {
    const results = await attack(onNetwork(), target, withoutServerToken)

    expect(results).toEqual(expectedResults(target.method, withoutServerToken))
  },
)

socketTest.each(openTargets)(
  '$line, which reveals nothing of the world, needs no token but rejects foreign pages (over HTTP only: a server has it)',
  async ({ method, path }) => {
    const headers = { host: 'box.lan' }
    const page = { ...headers, origin: 'https://evil.test' }
    const statuses = async ({ origin }: Started): Promise<(number | undefined)[]> => [
      (await sendRawRequest(origin, method, path, headers))?.status,
      (await sendRawRequest(origin, method, path, page))?.status,
      (await sendRawRequest(origin, 'POST', path, headers))?.status,
    ]

    expect(await statuses(withServerToken())).toEqual([200, 403, 401])
    expect(await statuses(onNetwork())).toEqual([200, 403, 403])
  },
)

socketTest.each(targets)(
  '$line rejects the preflight of a page (over HTTP only: a server has it)',
  async ({ method, path }) => {
    const response = await sendRawRequest(local().origin, 'OPTIONS', path, {
      origin: 'http://localhost:3000',
      'access-control-request-method': method,
    })

    expect([response?.status, corsHeaders(response)]).toEqual([403, []])
  },
)
