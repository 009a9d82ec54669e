import { expect, test } from 'vitest'
import { refusal } from '../support/api/errors.ts'
import { start } from '../support/lanes/start.ts'

const list = '/api/projects/1/annotations/'
const json = { 'content-type': 'application/json' }
const malformed = (told: string) =>
  refusal(400, 'invalid_request', 'parse_error', `JSON parse error - ${told}`)
const unsupported = (type: string) =>
  refusal(
    415,
    'invalid_request',
    'unsupported_media_type',
    `Unsupported media type "${type}" in request.`,
  )

/** A body, and what Python says of it. */
const broken = [
  ['{"content":', 'Expecting value: line 1 column 12 (char 11)'],
  ['release', 'Expecting value: line 1 column 1 (char 0)'],
  ['   ', 'Expecting value: line 1 column 4 (char 3)'],
  ['{', 'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)'],
  [
    "{'content': 'x'}",
    'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)',
  ],
  ['{"content" "x"}', "Expecting ':' delimiter: line 1 column 12 (char 11)"],
  ['{"a": 1 "b": 2}', "Expecting ',' delimiter: line 1 column 9 (char 8)"],
  ['{\n  "content": tru\n}', 'Expecting value: line 2 column 14 (char 15)'],
  ['{"content": "🦔}', 'Unterminated string starting at: line 1 column 13 (char 12)'],
  ['{} {}', 'Extra data: line 1 column 4 (char 3)'],
  ['{"dashboard_item": NaN}', "Out of range float values are not JSON compliant: 'NaN'"],
  ['content=x', 'Expecting value: line 1 column 1 (char 0)'],
] as const

test.each(broken)(
  'the body %j is refused in the words of Python [§1:malformed-json]',
  async (raw, told) => {
    for (const profile of ['documented', 'live'] as const) {
      const { ask, simulator } = await start({ profile })

      expect(await ask('POST', list, { raw, headers: json })).toEqual(malformed(told))
      expect(await ask('PATCH', `${list}1/`, { raw, headers: json })).toEqual(malformed(told))
      expect(simulator.world.annotations.count).toBe(8)
    }
  },
)

test('a body of no bytes is none, of whatever type [§4.2:body]', async () => {
  const { origin, ask } = await start()
  const empty = new ReadableStream({ start: (controller) => controller.close() })
  const headers = { authorization: 'Bearer phx_all', 'content-type': 'text/plain' }
  // The length of a stream is not known: it is sent in chunks, of which there are none.
  const init = { method: 'POST', headers, body: empty, duplex: 'half' }

  const streamed = await fetch(`${origin}${list}`, init as RequestInit)

  expect([streamed.status, await streamed.json()]).toEqual([
    201,
    (await ask('GET', `${list}9/`)).body,
  ])
})

test('bytes that are no UTF-8 are refused in the words of Python [§1:malformed-json]', async () => {
  const { ask } = await start()
  const raw = Uint8Array.of(0x22, 0xff, 0x22)

  const told = "'utf-8' codec can't decode byte 0xff in position 1: invalid start byte"
  expect(await ask('POST', list, { raw, headers: json })).toEqual(malformed(told))
})

test('JSON is JSON by its type, whatever the case or the parameters [§1:wrong-content-type]', async () => {
  const { ask } = await start()

  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;',
  ]) {
    const asked = { raw: '{"content": "x"}', headers: { 'content-type': type } }
    const answer = await ask('POST', list, asked)
    expect(answer, type).toMatchObject({ status: 201, body: { content: 'x' } })
  }
})

test('a body of another type is refused, the type told as it came [§1:wrong-content-type]', async () => {
  for (const profile of ['documented', 'live'] as const) {
    const { ask, simulator } = await start({ profile })
    for (const type of [
      ...['text/plain', 'text/plain;charset=UTF-8', 'application/xml', 'application/octet-stream'],
      ...['application/merge-patch+json', 'text/json', 'json', '*/*'],
    ]) {
      const asked = { raw: '{"content": "x"}', headers: { 'content-type': type } }
      expect(await ask('POST', list, asked), type).toEqual(unsupported(type))
      expect(await ask('PATCH', `${list}1/`, asked), type).toEqual(unsupported(type))
    }
    const bytes = new TextEncoder().encode('{"content": "x"}')
    expect(await ask('POST', list, { raw: bytes })).toEqual(unsupported(''))
    expect(simulator.world.annotations.count).toBe(8)
  }
})

test('by the document a form is a body of another type [§1:wrong-content-type] [§4.2:body]', async () => {
  const { ask } = await start()

  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const asked = { raw: 'content=x', headers: { 'content-type': type } }
    expect(await ask('POST', list, asked)).toEqual(unsupported(type))
    expect(await ask('PATCH', `${list}1/`, asked)).toEqual(unsupported(type))
  }
})
