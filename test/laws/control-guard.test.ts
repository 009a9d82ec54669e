import { afterAll, beforeAll, expect } from 'vitest'
import { allControlEndpoints } from '../../src/server/control/endpoints.ts'
import type { ListenOptions } from '../../src/server/listen.ts'
import { controlPath, examples } from '../support/control/examples.ts'
import { corsHeaders, sendRawRequest } from '../support/control/raw-request.ts'
import { lane, type Started, socketTest, startServer } from '../support/lanes/start.ts'

interface Attack {
  readonly what: string
  /** `$port` stands for the port of the server. */
  readonly headers: Readonly<Record<string, string>>
  readonly status: number
  readonly isForWrites?: boolean
}

/** What a page of somebody else, or another machine, may try at a server of this machine. */
const attacks: readonly Attack[] = [
  { what: 'a foreign Host', headers: { host: '10.0.0.1:$port' }, status: 403 },
  { what: 'a name that points here', headers: { host: 'evil.test:$port' }, status: 403 },
  { what: 'a name like ours', headers: { host: '127.0.0.1.evil.test:$port' }, status: 403 },
  { what: 'a foreign Origin', headers: { origin: 'https://evil.test' }, status: 403 },
  { what: 'a page at another port', headers: { origin: 'http://127.0.0.1:1' }, status: 403 },
  { what: 'an opaque Origin', headers: { origin: 'null' }, status: 403 },
  { what: 'a cross-site page', headers: { 'sec-fetch-site': 'cross-site' }, status: 403 },
  { what: 'a same-site page', headers: { 'sec-fetch-site': 'same-site' }, status: 403 },
  {
    what: 'a form',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 415,
    isForWrites: true,
  },
  {
    what: 'a form of files',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    status: 415,
    isForWrites: true,
  },
  {
    what: 'a form of text',
    headers: { 'content-type': 'text/plain' },
    status: 415,
    isForWrites: true,
  },
]

const withToken: readonly Attack[] = [
  { what: 'no token', headers: {}, status: 401 },
  { what: 'a wrong token', headers: { authorization: 'Bearer other' }, status: 401 },
  { what: 'an API key', headers: { authorization: 'Bearer phx_all' }, status: 401 },
  { what: 'a token of another kind', headers: { authorization: 'Basic secret' }, status: 401 },
  {
    what: 'the token from a foreign page',
    headers: { authorization: 'Bearer secret', origin: 'https://evil.test' },
    status: 403,
  },
]

const exposed: readonly Attack[] = [
  { what: 'a server in reach of others without a token', headers: {}, status: 403 },
  {
    what: 'the same with some token',
    headers: { authorization: 'Bearer secret' },
    status: 403,
  },
]

/** Every endpoint, of the server and of a sandbox, with a request that would be answered. */
const places = allControlEndpoints.flatMap(({ id, method, path, scope }) =>
  ['', '/__sandbox/sandbox-1'].map((sandbox) => ({
    line: `${method} ${sandbox}${path}`,
    id,
    method,
    scope,
    path: sandbox + controlPath(path, examples[id] ?? {}),
  })),
)

const closed = places.filter(({ scope }) => scope !== 'anyone')
const open = places.filter(({ scope }) => scope === 'anyone')

/** A server, with a sandbox and a snapshot, for all tests of a kind: each holds that it changes nothing. */
function served(serving: ListenOptions): () => Started {
  let started: Started | undefined
  beforeAll(async () => {
    if (lane === 'in-process') return
    started = await startServer({}, serving)
    started.simulator.sandboxes.create()
    started.simulator.snapshots.save('clean')
  })
  afterAll(() => started?.close())
  return () => started as Started
}

const alone = served({})
const guarded = served({ token: 'secret' })
const inReach = served({ host: '0.0.0.0' })

/** What each attack is answered, as `what: status`, and whether the world stayed as it was. */
async function attack(
  { origin, simulator }: Started,
  { id, method, path }: (typeof places)[number],
  tried: readonly Attack[],
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
      simulator.policies.settings,
    ])
  const before = state()
  const body = JSON.stringify(examples[id]?.body ?? {})
  const isWrite = method !== 'GET'
  const answers: string[] = []
  for (const { what, headers, isForWrites } of tried) {
    if (isForWrites && !isWrite) continue
    const answer = await sendRawRequest(
      origin,
      method,
      path,
      { ...(isWrite && { 'content-type': 'application/json' }), ...headers },
      isWrite ? body : undefined,
    )
    const isShut = corsHeaders(answer).length === 0 && !answer?.text.includes('phx_')
    answers.push(`${what}: ${answer?.status}${isShut ? '' : ', and tells something'}`)
  }
  expect(state()).toBe(before)
  return answers
}

const expected = (method: string, tried: readonly Attack[]) =>
  tried
    .filter(({ isForWrites }) => !isForWrites || method !== 'GET')
    .map(({ what, status }) => `${what}: ${status}`)

socketTest.each(places)(
  '$line refuses whoever is not of this machine (over HTTP only: a server has it)',
  async (place) => {
    expect(await attack(alone(), place, attacks)).toEqual(expected(place.method, attacks))
  },
)

socketTest.each(closed)(
  '$line refuses whoever has not the token, where there is one (over HTTP only: a server has it)',
  async (place) => {
    expect(await attack(guarded(), place, withToken)).toEqual(expected(place.method, withToken))
  },
)

socketTest.each(closed)(
  '$line is closed on a server in reach of others that has no token (over HTTP only: a server has it)',
  async (place) => {
    expect(await attack(inReach(), place, exposed)).toEqual(expected(place.method, exposed))
  },
)

socketTest.each(open)(
  '$line, which tells nothing of the world, is open without a token, but for pages of others (over HTTP only: a server has it)',
  async ({ method, path }) => {
    const headers = { host: 'box.lan' }
    const page = { ...headers, origin: 'https://evil.test' }
    const statuses = async ({ origin }: Started): Promise<(number | undefined)[]> => [
      (await sendRawRequest(origin, method, path, headers))?.status,
      (await sendRawRequest(origin, method, path, page))?.status,
      (await sendRawRequest(origin, 'POST', path, headers))?.status,
    ]

    expect(await statuses(guarded())).toEqual([200, 403, 401])
    expect(await statuses(inReach())).toEqual([200, 403, 403])
  },
)

socketTest.each(places)(
  '$line gives no preflight of a page what it asks for (over HTTP only: a server has it)',
  async ({ method, path }) => {
    const answer = await sendRawRequest(alone().origin, 'OPTIONS', path, {
      origin: 'http://localhost:3000',
      'access-control-request-method': method,
    })

    expect([answer?.status, corsHeaders(answer)]).toEqual([403, []])
  },
)
