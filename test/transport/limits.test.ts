import { HttpResponse, http } from 'msw'
import { expect, onTestFinished, test, vi } from 'vitest'
import { formatRequest, RawConnection } from '../support/lanes/raw-connection.ts'
import { lane, servers, socketTest, start } from '../support/lanes/start.ts'

const list = '/api/projects/1/annotations/'
const json = { 'content-type': 'application/json' }
const tooLarge = {
  status: 413,
  body: {
    type: 'invalid_request',
    code: 'request_too_large',
    detail: 'Request body is too large.',
    attr: null,
  },
}

test.each(servers)(
  "a malformed body is the service's own error, from $name [§1:malformed-json]",
  async ({ serving }) => {
    const { ask, simulator } = await start({}, serving)

    const answer = await ask('POST', list, { raw: '{"content": ', headers: json })

    expect(answer).toEqual({
      status: 400,
      body: {
        type: 'invalid_request',
        code: 'parse_error',
        detail: 'JSON parse error - Expecting value: line 1 column 13 (char 12)',
        attr: null,
      },
    })
    expect(simulator.world.annotations.count).toBe(8)
  },
)

test.each(servers)(
  'a body of exactly the limit is read, and one byte more is too large, from $name [§7:size-limits]',
  async ({ serving }) => {
    const { ask, simulator } = await start({ policies: { 'limits.body': 300 } }, serving)
    const bodyOf = (size: number) => `{"content":"${'x'.repeat(size - 14)}"}`.padEnd(size)

    const fits = await ask('POST', list, { raw: bodyOf(300), headers: json })
    const over = await ask('POST', list, { raw: bodyOf(301), headers: json })

    expect(fits).toMatchObject({ status: 201, body: { content: 'x'.repeat(286) } })
    expect(over).toEqual(tooLarge)
    expect(simulator.world.annotations.count).toBe(9)
  },
)

test.each(servers)(
  'the limit is 1 MiB in the profile documented and 20 MiB in live, from $name [§7:size-limits]',
  async ({ serving }) => {
    for (const [profile, limit] of [
      ['documented', 1_048_576],
      ['live', 20_971_520],
    ] as const) {
      const { ask } = await start({ profile }, serving)
      const padded = (size: number) => '{"content":"Padded"}'.padEnd(size)

      const fits = await ask('POST', list, { raw: padded(limit), headers: json })
      const over = await ask('POST', list, { raw: padded(limit + 1), headers: json })

      expect(fits).toMatchObject({ status: 201, body: { content: 'Padded' } })
      expect(over).toEqual(tooLarge)
    }
  },
)

test.each(servers)(
  'a key without the scope is told so before its body counts, from $name [§1:note-b] [§7:size-limits]',
  async ({ serving }) => {
    const { ask } = await start({ policies: { 'limits.body': 64 } }, serving)

    const large = await ask('POST', list, { key: 'phx_none', body: { content: 'x'.repeat(99) } })
    const broken = await ask('POST', list, { key: 'phx_none', raw: '{', headers: json })

    expect([large.status, broken.status]).toEqual([403, 403])
  },
)

socketTest.each(servers)(
  'after a body that was refused the same connection goes on, from $name (over HTTP only) [§7:size-limits]',
  async ({ serving }) => {
    const { origin, simulator } = await start({ policies: { 'limits.body': 1000 } }, serving)
    const wire = await RawConnection.to(origin)
    const large = JSON.stringify({ content: 'x'.repeat(3_000_000) })
    const rounds = [
      [large, 413],
      ['{', 400],
      ['[]', 400],
      [large, 413],
      ['{"content":"In time"}', 201],
    ] as const

    for (const [body, status] of rounds) {
      wire.send(formatRequest('POST', list, { body }))
      expect((await wire.readResponse())?.status).toBe(status)
    }

    expect(simulator.world.annotations.list().at(-1)?.content).toBe('In time')
    expect(simulator.world.annotations.count).toBe(9)
  },
)

socketTest.each(servers)(
  'a body in chunks is counted as it comes, from $name (over HTTP only) [§7:size-limits]',
  async ({ serving }) => {
    const { origin, simulator } = await start({ policies: { 'limits.body': 100 } }, serving)
    const wire = await RawConnection.to(origin)
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

    wire.send(formatRequest('POST', list, { headers }))
    for (let count = 0; count < 5; count++) wire.send(chunk(' '.repeat(40)))
    wire.send(chunk('{}'), chunk(''))
    const over = await wire.readResponse()
    wire.send(formatRequest('POST', list, { headers }), chunk('{"content":'), chunk('"In parts"}'))
    wire.send(chunk(''))
    const fits = await wire.readResponse()

    expect(over?.status).toBe(413)
    expect(fits?.status).toBe(201)
    expect(JSON.parse(fits?.text ?? '')).toMatchObject({ content: 'In parts' })
    expect(simulator.world.annotations.count).toBe(9)
  },
)

test.each(servers)('a method that reads no body lets one be, from $name', async ({ serving }) => {
  const { ask } = await start({ policies: { 'limits.body': 8 } }, serving)

  const answer = await ask('DELETE', `${list}1/`, { raw: 'x'.repeat(1000) })

  expect(answer.status).toBe(405)
})

socketTest.each(servers)(
  'the body of a GET does not count as the next request, from $name (over HTTP only)',
  async ({ serving }) => {
    const wire = await RawConnection.to((await start({}, serving)).origin)

    wire.send(formatRequest('GET', `${list}1/`, { body: 'GET /api/nothing HTTP/1.1\r\n\r\n' }))
    wire.send(formatRequest('GET', `${list}2/`))
    const answers = [await wire.readResponse(), await wire.readResponse()]

    expect(answers.map((answer) => JSON.parse(answer?.text ?? '').id)).toEqual([1, 2])
  },
)

const tooLargeBody = {
  type: 'invalid_request',
  code: 'request_too_large',
  detail: 'Request body is too large.',
  attr: null,
}

test('a path of any length is not found at once', async () => {
  const { ask } = await start()

  const { status } = await ask('GET', `/api/projects/${'a'.repeat(15_000)}/${'b/'.repeat(200)}foo`)

  expect(status).toBe(404)
})

socketTest.each(servers)(
  'a body for a handler of mine has a limit, and so has one for nobody, from $name (over HTTP only: listen has it)',
  async ({ serving }) => {
    const mine = http.post('*/mine', async ({ request }) => HttpResponse.text(await request.text()))
    const { ask } = await start({}, { ...serving, handlers: [mine], bodyLimit: 10 })

    const kept = await ask('POST', '/mine', { raw: '0123456789' })
    const mineTooLarge = await ask('POST', '/mine', { raw: '0123456789a' })
    const nobodys = await ask('POST', '/nobody', { raw: '0123456789a' })

    expect(kept).toEqual({ status: 200, body: '0123456789' })
    expect(mineTooLarge).toEqual({ status: 413, body: tooLargeBody })
    expect(nobodys).toEqual({ status: 413, body: tooLargeBody })
  },
)

test('an onError that throws keeps nobody from an answer', async () => {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => spy.mockRestore())
  const inVain = new Error('told in vain')
  const onError = () => {
    throw inVain
  }
  const { ask, simulator } = await start({ onError }, { onError })
  Object.defineProperty(simulator.clock, 'iso', {
    value: () => {
      throw new Error('broken inside')
    },
  })

  const written = await ask('POST', '/api/projects/1/annotations/', { body: {} })

  expect(written).toMatchObject({ status: 500, body: { code: 'error' } })
  expect(spy.mock.calls).toEqual([[inVain]])
})

const badHeader = { 'x-a': 'a\u0001' }
/** An answer that Node refuses to write, of a handler of mine and of an endpoint. */
const unwritable = [
  {
    of: 'a handler of mine',
    handler: http.all('*/any', () => new Response('', { headers: badHeader })),
  },
  {
    of: 'an endpoint',
    handler: {
      [Symbol.for('understudy-api/handler')]: {
        match: (_method: string, url: string) =>
          url.endsWith('/any')
            ? {
                params: {},
                bodyLimit: 10,
                handle: () => ({ status: 200, headers: badHeader, text: '', ascii: true }),
              }
            : null,
      },
    } as never,
  },
].filter(({ of }) => of === 'a handler of mine' || lane === 'http')

socketTest.each(unwritable.flatMap((one) => ['GET', 'POST'].map((method) => ({ ...one, method }))))(
  'an answer of $of to $method that cannot be written is a 500, and the server goes on (over HTTP only: fetch writes nothing)',
  async ({ handler, method }) => {
    const told: unknown[] = []
    const onError = (error: unknown) => void told.push(error)
    const { ask } = await start({}, { handlers: [handler], onError })
    const raw = method === 'POST' ? { raw: '{}' } : {}

    const answer = await ask(method, '/any', raw)

    expect(answer).toMatchObject({ status: 500, body: { type: 'server_error' } })
    expect(told).toHaveLength(1)
    expect(await ask('GET', '/api/projects/')).toMatchObject({ status: 200 })
  },
)
