import { expect, onTestFinished, test, vi } from 'vitest'
import { connect } from '../../src/admin/connect.ts'
import { RemoteError } from '../../src/admin/connection.ts'
import { errorOf } from '../support/errors.ts'
import { startHttpServer } from '../support/http-server.ts'
import { serve } from '../support/transports/start.ts'

// The errors of failed calls. Most of these tests need a server.

const thrownBy = (call: Promise<unknown>): Promise<RemoteError> =>
  call.then(
    () => Promise.reject(new Error('It did not fail.')),
    (error) => error,
  )

test('an error has the same message and field in-process and remotely', async () => {
  const { origin, simulator } = await serve()
  const remote = connect(origin)
  const before = simulator.world.toJSON()
  const pairs: [() => Promise<unknown>, () => unknown][] = [
    [() => remote.journal.find({ status: '9' }), () => simulator.journal.find({ status: '9' })],
    [() => remote.journal.find({ limit: -1 }), () => simulator.journal.find({ limit: -1 })],
    [
      () => remote.world.add({ annotations: [{ project: 99 }] }),
      () => simulator.world.add({ annotations: [{ project: 99 }] }),
    ],
    [
      () => remote.world.edit({ rows: { plugins: [{}] }, update: { annotations: 5 as never } }),
      () => simulator.world.edit({ update: { annotations: 5 as never } }),
    ],
    [
      () => remote.world.edit({ delete: { annotations: [1, '2' as never] } }),
      () => simulator.world.edit({ delete: { annotations: [1, '2' as never] } }),
    ],
  ]

  for (const [call, local] of pairs) {
    const { message, field, issues, details } = errorOf(local)
    const error = await thrownBy(call())
    expect.soft(error).toBeInstanceOf(RemoteError)
    expect.soft(error).toMatchObject({ name: 'UsageError', message, field, issues, details })
    // Node prints the fields of an error after its message.
    expect.soft(Object.keys(errorOf(local))).toEqual(['name'])
  }
  expect(simulator.world.toJSON()).toEqual(before)
})

test('a missing resource is distinguished from a wrong URL', async () => {
  const { origin } = await serve()
  const here = connect(origin)
  const nowhere = connect(`${origin}/nothing`)
  const { id, remote: ended } = await here.sandboxes.create()
  await here.sandboxes.delete(id)

  expect(await here.faults.remove('x')).toBe(false)
  expect((await thrownBy(nowhere.faults.remove('x'))).message).toBe('Endpoint not found.')
  expect((await thrownBy(ended.world.get('annotations', 1))).message).toBe(
    `Sandbox ${id} not found: it was never created, or has ended.`,
  )
})

test.each([
  [
    undefined,
    'No response from http://localhost:4010 (Failed to fetch). Is the server running? Does MSW refuse the request?',
  ],
  [
    { code: 'CERT_HAS_EXPIRED' },
    'Failed to reach http://localhost:4010: Node does not trust its certificate (CERT_HAS_EXPIRED).',
  ],
])(
  'for the cause %j, which a browser does not give, an unreachable server gets its message',
  async (cause, message) => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch', { cause })))
    onTestFinished(() => void vi.unstubAllGlobals())

    expect(await thrownBy(connect('http://localhost:4010').reset())).toMatchObject({ message })
  },
)

test.each([{}, { mode: 'real', advance: { hours: 1 } }])(
  '%j is no change of the clock',
  async (body) => {
    const { admin } = await serve()

    expect(await admin('PUT', '/__admin/clock', { body })).toMatchObject({
      status: 400,
      body: {
        detail: expect.stringContaining('expected a mode, a time, or both, or advance, got'),
      },
    })
  },
)

test('a client whose first call failed asks again, once the server runs', async () => {
  let health = { name: 'other', version: '1.0.0' }
  const url = await startHttpServer((_, response) => response.end(JSON.stringify(health)))
  const { clock } = connect(url)
  await thrownBy(clock.read())

  health = { name: 'understudy-api', version: '1.0.0' }

  expect(await clock.read()).toEqual(health)
})

test('another server, at which a sandbox is said to be, does not get the token', async () => {
  const tokens: (string | undefined)[] = []
  const other = await startHttpServer(({ headers }, response) => {
    tokens.push(headers.authorization)
    response.end('{}')
  })
  const sandbox = { id: 'sandbox-1', url: `${other}/__sandbox/sandbox-1` }
  const own = await startHttpServer(({ url = '' }, response) => {
    const health = { name: 'understudy-api', version: '1.0.0' }
    response.end(JSON.stringify(url.endsWith('/health') ? health : sandbox))
  })

  const { remote } = await connect(own, { token: 'secret' }).sandboxes.create()
  await thrownBy(remote.clock.read())

  expect(tokens).toEqual([undefined])
})

test('a follower gets an error if the connection breaks, but not if it stops', async () => {
  const { origin, close } = await serve()
  const [stopped, broken] = [vi.fn(), vi.fn()]
  const { journal } = connect(origin)
  const stop = await journal.follow(() => {}, { onError: stopped })
  await journal.follow(() => {}, { onError: broken })

  stop()
  await close()
  await expect.poll(() => broken.mock.calls.length).toBeGreaterThan(0)

  expect(stopped).not.toHaveBeenCalled()
  expect(broken).toHaveBeenCalledWith(expect.any(Error))
})

test.each([
  ['127.0.0.1:4010'],
  ['/api'],
  ['ftp://localhost'],
  [''],
  ['http://ada:love l"@ce@localhost', 'http://…@localhost'],
])('%j is refused as a URL', (url, shown = url) => {
  expect(() => connect(url)).toThrow(
    `Failed to connect: expected a URL such as http://127.0.0.1:4010, got ${JSON.stringify(shown)}.`,
  )
})

test.each([
  'http://localhost:4010/__sandbox/sandbox-1',
  'http://localhost:4010/__sandbox/sandbox-1/',
  'http://localhost:4010/__sandbox/sandbox-1/__admin/',
])('%s is the URL of a sandbox', (url) => {
  expect(connect(url).url).toBe('http://localhost:4010/__sandbox/sandbox-1')
})

test.each([
  [502, '{"message": "Bad gateway"}'],
  [200, '<h1>Sign in</h1>'],
])(
  'a proxy that responds %i in place of the server is an error with that status',
  async (status, body) => {
    const url = await startHttpServer(({ url: path }, response) => {
      const isHealth = path === '/__admin/health'
      response.writeHead(isHealth ? 200 : status)
      response.end(isHealth ? JSON.stringify({ name: 'understudy-api', version: '1.0.0' }) : body)
    })

    const error = await thrownBy(connect(url).world.read())

    expect(error).toBeInstanceOf(RemoteError)
    expect(error).toMatchObject({
      status,
      field: null,
      message: `The response of ${url}/__admin/world (status ${status}) is not from the admin API. A proxy before the server may have refused the request.`,
    })
  },
)
