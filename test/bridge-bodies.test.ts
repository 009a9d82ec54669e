import { expect, test } from 'vitest'
import { overHttp, servers, start } from './support/start.ts'
import { requestText, Wire } from './support/wire.ts'

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

overHttp.each(servers)(
  'after a body that was refused the same connection goes on, from $name (over HTTP only) [§7:size-limits]',
  async ({ serving }) => {
    const { origin, simulator } = await start({ policies: { 'limits.body': 1000 } }, serving)
    const wire = await Wire.to(origin)
    const large = JSON.stringify({ content: 'x'.repeat(3_000_000) })
    const rounds = [
      [large, 413],
      ['{', 400],
      ['[]', 400],
      [large, 413],
      ['{"content":"In time"}', 201],
    ] as const

    for (const [body, status] of rounds) {
      wire.send(requestText('POST', list, { body }))
      expect((await wire.answer())?.status).toBe(status)
    }

    expect(simulator.world.annotations.list().at(-1)?.content).toBe('In time')
    expect(simulator.world.annotations.count).toBe(9)
  },
)

overHttp.each(servers)(
  'a body in chunks is counted as it comes, from $name (over HTTP only) [§7:size-limits]',
  async ({ serving }) => {
    const { origin, simulator } = await start({ policies: { 'limits.body': 100 } }, serving)
    const wire = await Wire.to(origin)
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

    wire.send(requestText('POST', list, { headers }))
    for (let count = 0; count < 5; count++) wire.send(chunk(' '.repeat(40)))
    wire.send(chunk('{}'), chunk(''))
    const over = await wire.answer()
    wire.send(requestText('POST', list, { headers }), chunk('{"content":'), chunk('"In parts"}'))
    wire.send(chunk(''))
    const fits = await wire.answer()

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

overHttp.each(servers)(
  'the body of a GET does not count as the next request, from $name (over HTTP only)',
  async ({ serving }) => {
    const wire = await Wire.to((await start({}, serving)).origin)

    wire.send(requestText('GET', `${list}1/`, { body: 'GET /api/nothing HTTP/1.1\r\n\r\n' }))
    wire.send(requestText('GET', `${list}2/`))
    const answers = [await wire.answer(), await wire.answer()]

    expect(answers.map((answer) => JSON.parse(answer?.text ?? '').id)).toEqual([1, 2])
  },
)
