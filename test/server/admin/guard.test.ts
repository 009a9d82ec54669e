import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ListenOptions } from '../../../src/server/listen.ts'
import { adminPath, operations as all } from '../../admin/examples.ts'
import { authorization } from '../../support/api/headers.ts'
import { RawConnection } from '../../support/transports/raw-connection.ts'
import { type Started, serve, startServer } from '../../support/transports/start.ts'
import { corsHeaders, sendRawRequest as send } from '../raw-request.ts'

const world = '/__admin/world'
const otherHost = (host: string) => `requires the host localhost or 127.0.0.1, got ${host}`
const otherSite = (page: string) => `cannot be accessed from another site, got ${page}`
const otherType = (type: string) => `accepts application/json, got ${type}`
const [form, parts] = ['application/x-www-form-urlencoded', 'multipart/form-data']
const otherMachine = 'because a proxy passes on requests of other machines, such as 203.0.113.7.'

type Attack = readonly [name: string, headers: Readonly<Record<string, string>>, detail: string]

/** What a page of another site, or another machine, could send to a server on this machine. `$port` is that of the server */
const attacks: readonly Attack[] = [
  ['a foreign host', { host: '10.0.0.1:$port' }, otherHost('10.0.0.1')],
  ['another name of this machine', { host: 'evil.test:$port' }, otherHost('evil.test')],
  ['a host that starts with loopback', { host: '127.0.0.1.evil.test' }, otherHost('127.0.0.1.e')],
  ['a host that ends with loopback', { host: 'evil-localhost' }, otherHost('evil-localhost')],
  ['a host that is no name', { host: 'a b' }, otherHost('')],
  ['a foreign origin', { origin: 'https://evil.test' }, otherSite('the origin https://evil.test')],
  ['a page at another port', { origin: 'http://127.0.0.1:1' }, otherSite('the origin http://127')],
  ['an opaque origin', { origin: 'null' }, otherSite('the origin null.')],
  ['a cross-site page', { 'sec-fetch-site': 'cross-site' }, otherSite('a cross-site request.')],
  ['a same-site page', { 'sec-fetch-site': 'same-site' }, otherSite('a same-site request.')],
  ['a page that names no such site', { 'sec-fetch-site': 'x' }, otherSite('a x request.')],
  ['a proxy for other machines', { 'x-forwarded-for': '127.0.0.1, 203.0.113.7' }, otherMachine],
  [
    'a proxy that says so by Forwarded',
    { forwarded: 'for = "203.0.113.7:80";by=x, for=[::1]' },
    otherMachine,
  ],
  ['a proxy behind another one', { 'x-forwarded-for': '203.0.113.7, ::1' }, otherMachine],
  ['a proxy that names one client', { 'x-real-ip': '203.0.113.7' }, otherMachine],
  ['a form', { 'content-type': form }, otherType(form)],
  ['a multipart form', { 'content-type': `${parts}; boundary=x` }, otherType(parts)],
  ['a text form', { 'content-type': 'text/plain' }, otherType('text/plain.')],
]

const page = { authorization: 'Bearer secret', origin: 'https://evil.test' }
const withoutToken: readonly Attack[] = [
  ['no token', {}, 'Send the token of the admin API'],
  ['a wrong token', { authorization: 'Bearer other' }, 'The token is wrong.'],
  ['the start of the token', { authorization: 'Bearer secre' }, 'The token is wrong.'],
  ['an API key', authorization(), 'The token is wrong.'],
  ['another scheme', { authorization: 'Basic secret' }, 'Send the token of the admin API'],
  ['the token from a foreign page', page, otherSite('the origin https://evil.test')],
  [
    'the token in a form',
    { authorization: 'Bearer secret', 'content-type': form },
    otherType(form),
  ],
]

const exposed =
  'requires a token, because other machines can reach this server. Start the server with --token.'
const fromOtherMachines: readonly Attack[] = [
  ['no token', {}, exposed],
  ['any token', { authorization: 'Bearer secret' }, exposed],
]

/** The status of a refusal, by its reason */
const statusOf = (detail: string): number => {
  if (/token (?:of|is)/.test(detail)) return 401
  return detail.startsWith('accepts') ? 415 : 403
}

/** Every operation, of the server and of a sandbox, with a request that would succeed. */
const operations = all.flatMap(({ line, method, path, example }) =>
  ['', '/__sandbox/sandbox-1'].map((sandbox) => ({
    line: `${line} ${sandbox}`,
    method,
    body: method === 'GET' ? undefined : JSON.stringify(example.body ?? {}),
    isOpen: path === '/health',
    path: sandbox + adminPath(path, example),
  })),
)

/** One server, with a sandbox, for several tests, which verify that nothing changes. */
function shareServer(serving: ListenOptions) {
  let shared: (Started & { readonly state: string }) | undefined
  beforeAll(async () => {
    const started = await startServer({}, serving)
    started.simulator.sandboxes.create()
    shared = Object.assign(started, { state: stateOf(started) })
  })
  afterAll(() => shared?.close())
  return () => shared as NonNullable<typeof shared>
}

const local = shareServer({})
const guarded = shareServer({ token: 'secret' })
const reachable = shareServer({ host: '0.0.0.0' })

/** All that an operation could change. */
function stateOf({ simulator }: Started): string {
  const { world, clock, sandboxes, settings } = simulator
  const inner = sandboxes.get('sandbox-1')
  const rows = [world, inner?.world, clock, clock.read(), sandboxes.list()]
  return JSON.stringify([...rows, settings.values])
}

/** Every attack on two operations, and on the others one for each reason of a refusal. */
const cases = (server: typeof local, attacks: readonly Attack[]) =>
  operations
    .filter(({ isOpen }) => !isOpen)
    .map((operation) => {
      const isWhole = /^(?:GET|PUT) \/world $/.test(operation.line)
      const first = new Map(attacks.toReversed().map((attack) => [attack[2].slice(0, 12), attack]))
      return { ...operation, server, attempts: isWhole ? attacks : [...first.values()] }
    })

test.each([
  ...cases(local, attacks),
  ...cases(guarded, withoutToken),
  ...cases(reachable, fromOtherMachines),
])('$line is refused, with the reason, to $attempts.0.0 and the like', async (operation) => {
  const { method, path, body, server, attempts } = operation
  const sent = attempts.filter(([, , detail]) => statusOf(detail) !== 415 || method !== 'GET')

  const responses = await Promise.all(
    sent.map(async ([name, headers, detail]) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const response = await send(server().origin, method, path, { ...type, ...headers }, body)
      // The advice for people who open the dashboard is not for programs.
      const isSealed = !/phx_|address bar/.test(response.text)
      const says = response.text.includes(detail) ? detail : response.text
      return [name, response.status, says, isSealed, corsHeaders(response)]
    }),
  )

  expect(responses).toEqual(
    sent.map(([name, , detail]) => [name, statusOf(detail), detail, true, []]),
  )
  expect(stateOf(server())).toBe(server().state)
})

test.each([
  ['evil.test', 'GET http://evil.test/__admin/keys HTTP/1.1\r\nHost: 127.0.0.1'],
  ['evil.test', 'GET HTTP://a@evil.test/__admin/keys HTTP/1.1\r\nHost: 127.0.0.1'],
  ['none', 'GET /__admin/keys HTTP/1.0'],
])('the host %s is refused: %j', async (host, head) => {
  const connection = await RawConnection.to(local().origin)

  const response = await connection.send(`${head}\r\n\r\n`).readResponse()

  expect(response?.status).toBe(403)
  expect(response?.text).toContain(otherHost(host))
})

test.each(operations.filter(({ isOpen }) => isOpen))(
  '$line is allowed without a token and under any name, but not for pages of other sites',
  async ({ method, path }) => {
    const headers = { host: 'box.lan' }
    const page = { ...headers, origin: 'https://evil.test' }
    const statuses = async ({ origin }: Started): Promise<(number | undefined)[]> => [
      (await send(origin, method, `${path}?t=1`, headers)).status,
      (await send(origin, method, path, page)).status,
      (await send(origin, 'POST', path, headers)).status,
    ]

    expect(await statuses(local())).toEqual([200, 403, 403])
    expect(await statuses(guarded())).toEqual([200, 403, 401])
    expect(await statuses(reachable())).toEqual([200, 403, 403])
  },
)

test.each(operations)('$line refuses preflight requests', async ({ method, path }) => {
  const response = await send(local().origin, 'OPTIONS', path, {
    origin: 'http://localhost:3000',
    'access-control-request-method': method,
  })

  expect([response.status, corsHeaders(response)]).toEqual([403, []])
})

test.each(operations.filter(({ method, isOpen }) => method === 'GET' && !isOpen))(
  'HEAD requires the token where $line does',
  async ({ path }) => {
    expect((await send(guarded().origin, 'HEAD', path, {})).status).toBe(401)
  },
)

test.each([
  { host: 'localhost:$port' },
  { host: '127.0.0.1:$port' },
  { host: '[::1]:$port' },
  { host: 'LOCALHOST' },
  { host: 'localhost:$port', origin: 'http://localhost:$port' },
  { host: 'localhost:$port', origin: 'https://localhost:$port' },
  { host: 'localhost:$port', 'sec-fetch-site': 'same-origin' },
  { host: 'localhost:$port', 'sec-fetch-site': 'none' },
  { 'content-type': 'Application/JSON; charset=utf-8', 'content-encoding': 'identity' },
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-for': '::1,::FFFF:127.0.0.2' },
  { 'x-real-ip': '::1', forwarded: 'for=127.0.0.1, proto=http;For = "[::1]:80"' },
])('requests from this machine and its own pages are allowed: %j', async (headers) => {
  const { origin } = await serve()

  const read = await send(origin, 'GET', world, headers as Record<string, string>)
  const written = await send(origin, 'POST', '/__admin/reset', headers as Record<string, string>)

  expect([read.status, written.status]).toEqual([200, 204])
  expect([...corsHeaders(read), ...corsHeaders(written)]).toEqual([])
})

test.each(['0.0.0.0', '127.0.0.1'])(
  'a server at %s accepts the token with any Host, and serves the API without it',
  async (host) => {
    const { origin, ask } = await serve({}, { host, token: 'secret' })
    const headers = { host: 'box.lan', authorization: 'Bearer secret' }

    // A proxy asks for the whole URL, and some clients send a type without a body.
    const typed = { ...headers, 'content-type': 'text/plain' }
    const own = await send(origin, 'GET', origin + world, typed)
    const foreign = await send(origin, 'GET', world, { ...headers, origin: 'http://x' })
    const untyped = await send(origin, 'POST', '/__admin/reset', headers, '{}')

    expect([own.status, foreign.status, untyped.status]).toEqual([200, 403, 415])
    expect((await ask('GET', '/api/projects/')).status).toBe(200)
  },
)

test('the body of a request without access is not waited for', async () => {
  const { origin } = guarded()
  const headers = { 'content-type': 'application/json', 'content-length': '1000000' }

  const sent = request(`${origin}${world}`, { method: 'PUT', headers }).on('error', () => {})
  sent.flushHeaders()
  const [response] = await once(sent, 'response')
  sent.destroy()

  expect(response.statusCode).toBe(401)
})
