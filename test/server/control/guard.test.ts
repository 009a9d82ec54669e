import { once } from 'node:events'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { authorization } from '../../support/api/headers.ts'
import { controlPath, operations } from '../../support/control/examples.ts'
import { corsHeaders, sendRawRequest as send } from '../../support/control/raw-request.ts'
import { start } from '../../support/lanes/start.ts'

const world = '/__admin/world'
const reset = '/__admin/reset'
const port = (origin: string) => new URL(origin).port

// test/laws/control-guard.test.ts sends every attack to every operation.
test.each([
  [
    'a foreign name',
    'GET',
    world,
    { host: 'evil.test:$port' },
    403,
    'requires the host localhost or 127.0.0.1, got evil.test',
  ],
  [
    'a name that ends like one of this machine',
    'GET',
    world,
    { host: 'evil-localhost:$port' },
    403,
    'requires the host localhost or 127.0.0.1, got evil-localhost',
  ],
  [
    'a host that is not a name',
    'GET',
    world,
    { host: 'a b' },
    403,
    'requires the host localhost or 127.0.0.1, got',
  ],
  [
    'a foreign origin',
    'POST',
    reset,
    { origin: 'https://127.0.0.1' },
    403,
    'cannot be accessed from another site, got the origin https://127.0.0.1',
  ],
  [
    'a script element',
    'GET',
    world,
    { 'sec-fetch-site': 'cross-site' },
    403,
    'cannot be accessed from another site, got a cross-site request.',
  ],
  [
    'a form',
    'PUT',
    world,
    { 'content-type': 'text/plain' },
    415,
    'accepts application/json, got text/plain.',
  ],
] as const)(
  '%s is refused with the reason, and nothing changes',
  async (_, method, path, headers, status, detail) => {
    const { origin, simulator } = await start()
    simulator.world.annotations.create()
    const body = method === 'PUT' ? '{}' : undefined

    const response = await send(origin, method, path, { host: '127.0.0.1:$port', ...headers }, body)

    expect(response?.status).toBe(status)
    expect(JSON.parse(response?.text ?? '').detail).toContain(`The control API ${detail}`)
    // The advice for people who open the dashboard is not for programs.
    expect(response?.text).not.toMatch(/phx_|address bar/)
    expect(corsHeaders(response)).toEqual([])
    expect(simulator.world.annotations.count).toBe(9)
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
])('requests from this machine and its own pages are allowed: %j', async (headers) => {
  const { origin } = await start()

  const read = await send(origin, 'GET', world, headers as Record<string, string>)
  const written = await send(origin, 'POST', reset, headers as Record<string, string>)

  expect([read?.status, written?.status]).toEqual([200, 204])
  expect([...corsHeaders(read), ...corsHeaders(written)]).toEqual([])
})

test('a preflight request to the control API is refused, without CORS headers', async () => {
  const { origin } = await start()

  const response = await send(origin, 'OPTIONS', world, {
    host: `localhost:${port(origin)}`,
    origin: 'http://localhost:3000',
    'access-control-request-method': 'PUT',
  })

  expect(response?.status).toBe(403)
  expect(corsHeaders(response)).toEqual([])
})

test.each([
  ['a missing token', {}, /^Send the token of the control API/],
  ['a wrong token', { authorization: 'Bearer other' }, /^The token is wrong.*--token/],
  ['the start of the token', { authorization: 'Bearer secre' }, /^The token is wrong/],
  ['another authorization scheme', { authorization: 'Basic secret' }, /^Send the token/],
  ['an API key', authorization(), /^The token is wrong/],
] as const)('a server with a token refuses %s', async (_, headers, detail) => {
  const { origin } = await start({}, { token: 'secret' })
  const host = `localhost:${port(origin)}`

  const refused = await send(origin, 'GET', world, { host, authorization: '', ...headers })
  const admitted = await send(origin, 'GET', world, { host, authorization: 'Bearer secret' })

  expect(JSON.parse(refused?.text ?? '')).toEqual({
    type: 'authentication_error',
    code: 'not_authenticated',
    detail: expect.stringMatching(detail),
    attr: null,
  })
  expect([refused?.status, admitted?.status]).toEqual([401, 200])
})

test('HEAD of what requires the token requires it, too', async () => {
  const { origin } = await start({}, { token: 'secret' })
  const restricted = operations.filter(({ line }) => /^GET \/(?!health)/.test(line))

  const statuses = await Promise.all(
    restricted.map(async ({ line, path, example }) => {
      const response = await send(origin, 'HEAD', controlPath(path, example), {})
      return `${line}: ${response?.status}`
    }),
  )

  expect(statuses).toContain('GET /world: 401')
  expect(statuses).toEqual(restricted.map(({ line }) => `${line}: 401`))
})

test('the token gives no access to pages of other sites or to forms', async () => {
  const { origin } = await start({}, { token: 'secret' })
  const headers = { host: `localhost:${port(origin)}`, authorization: 'Bearer secret' }

  const page = await send(origin, 'GET', world, { ...headers, origin: 'https://evil.test' })
  const form = await send(origin, 'PUT', world, { ...headers, 'content-type': 'text/plain' }, '{}')

  expect([page?.status, form?.status]).toEqual([403, 415])
})

test('a server on all addresses requires the token, and accepts it with any Host', async () => {
  const closed = await start({}, { host: '0.0.0.0' })
  const open = await start({}, { host: '0.0.0.0', token: 'secret' })
  const authorization = 'Bearer secret'

  const responses = [
    await send(closed.origin, 'GET', world, { host: 'localhost' }),
    await send(closed.origin, 'GET', world, { host: 'localhost', authorization }),
    await send(open.origin, 'GET', world, { host: 'localhost' }),
    await send(open.origin, 'GET', world, { host: 'box.lan:4010', authorization }),
    await send(open.origin, 'GET', world, { host: 'box.lan', authorization, origin: 'http://x' }),
  ]

  expect(responses.map((response) => response?.status)).toEqual([403, 403, 401, 200, 403])
  expect(JSON.parse(responses[0]?.text ?? '').detail).toBe(
    'The control API requires a token, because other machines can reach this server. Start the server with --token.',
  )
  expect((await closed.ask('GET', '/api/projects/')).status).toBe(200)
})

test('a client of another machine behind a proxy needs a token, also with the host of this machine', async () => {
  const { control } = await start()
  const from = (client: string) =>
    control('GET', '/__admin/keys', { headers: { 'x-forwarded-for': client } })

  expect((await from('127.0.0.1')).status).toBe(200)
  expect((await from('203.0.113.7, ::1')).status).toBe(200)
  expect((await from('203.0.113.7,::FFFF:127.0.0.1')).status).toBe(200)
  expect(await from('127.0.0.1, 203.0.113.7')).toMatchObject({
    status: 403,
    body: {
      detail:
        'The control API requires a token, because a proxy passes on requests of other machines, such as 203.0.113.7. Start the server with --token.',
    },
  })
})

test('the body of a request without access is not waited for', async () => {
  const { origin } = await start({}, { token: 'secret' })
  const headers = { 'content-type': 'application/json', 'content-length': '1000000' }

  const sent = request(`${origin}${world}`, { method: 'PUT', headers }).on('error', () => {})
  sent.flushHeaders()
  const [response] = await once(sent, 'response')
  sent.destroy()

  expect(response.statusCode).toBe(401)
})
