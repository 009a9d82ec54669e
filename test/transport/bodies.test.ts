import { expect, test } from 'vitest'
import { refusal } from '../support/api/errors.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { start } from '../support/lanes/start.ts'

const json = { 'content-type': 'application/json' }
const malformed = (message: string) =>
  refusal(400, 'invalid_request', 'parse_error', `JSON parse error - ${message}`)
const unsupported = (type: string) =>
  refusal(
    415,
    'invalid_request',
    'unsupported_media_type',
    `Unsupported media type "${type}" in request.`,
  )

/** Bodies, with the messages of Python. */
const malformedBodies = [
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

test.each(malformedBodies)(
  'the body %j is refused with the message of Python [§1:malformed-json]',
  async (raw, message) => {
    for (const profile of ['documented', 'live'] as const) {
      const { ask, simulator } = await start({ profile })

      expect(await ask('POST', annotationsPath, { raw, headers: json })).toEqual(malformed(message))
      expect(await ask('PATCH', `${annotationsPath}1/`, { raw, headers: json })).toEqual(
        malformed(message),
      )
      expect(simulator.world.annotations.count).toBe(8)
    }
  },
)

test('a body without bytes counts as missing, whatever its content type [§4.2:body]', async () => {
  const { origin, ask } = await start()
  const empty = new ReadableStream({ start: (controller) => controller.close() })
  const headers = { authorization: 'Bearer phx_all', 'content-type': 'text/plain' }
  // A stream has no length, so it is sent in chunks; this one has none.
  const init = { method: 'POST', headers, body: empty, duplex: 'half' }

  const streamed = await fetch(`${origin}${annotationsPath}`, init as RequestInit)

  expect([streamed.status, await streamed.json()]).toEqual([
    201,
    (await ask('GET', `${annotationsPath}9/`)).body,
  ])
})

test('invalid UTF-8 is refused with the message of Python [§1:malformed-json]', async () => {
  const { ask } = await start()
  const raw = Uint8Array.of(0x22, 0xff, 0x22)

  const message = "'utf-8' codec can't decode byte 0xff in position 1: invalid start byte"
  expect(await ask('POST', annotationsPath, { raw, headers: json })).toEqual(malformed(message))
})

test('a JSON content type can have any casing and parameters [§1:wrong-content-type]', async () => {
  const { ask } = await start()

  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;',
  ]) {
    const options = { raw: '{"content": "x"}', headers: { 'content-type': type } }
    const response = await ask('POST', annotationsPath, options)
    expect(response, type).toMatchObject({ status: 201, body: { content: 'x' } })
  }
})

test('a body of another content type is refused, and the error quotes it [§1:wrong-content-type]', async () => {
  for (const profile of ['documented', 'live'] as const) {
    const { ask, simulator } = await start({ profile })
    for (const type of [
      ...['text/plain', 'text/plain;charset=UTF-8', 'application/xml', 'application/octet-stream'],
      ...['application/merge-patch+json', 'text/json', 'json', '*/*'],
    ]) {
      const options = { raw: '{"content": "x"}', headers: { 'content-type': type } }
      expect(await ask('POST', annotationsPath, options), type).toEqual(unsupported(type))
      expect(await ask('PATCH', `${annotationsPath}1/`, options), type).toEqual(unsupported(type))
    }
    const bytes = new TextEncoder().encode('{"content": "x"}')
    expect(await ask('POST', annotationsPath, { raw: bytes })).toEqual(unsupported(''))
    expect(simulator.world.annotations.count).toBe(8)
  }
})

test('in the documented profile a form is refused [§1:wrong-content-type] [§4.2:body]', async () => {
  const { ask } = await start()

  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const options = { raw: 'content=x', headers: { 'content-type': type } }
    expect(await ask('POST', annotationsPath, options)).toEqual(unsupported(type))
    expect(await ask('PATCH', `${annotationsPath}1/`, options)).toEqual(unsupported(type))
  }
})
