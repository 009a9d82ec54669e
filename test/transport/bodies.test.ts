import { expect, test } from 'vitest'
import { invalid, refusal } from '../support/api/errors.ts'
import { acme, annotationsPath } from '../support/api/paths.ts'
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
  ['content=x', 'Expecting value: line 1 column 1 (char 0)'],
] as const

test.each(malformedBodies)(
  'the body %j is refused with the message of Python',
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

test('a body without bytes counts as missing, whatever its content type', async () => {
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

test('invalid UTF-8 is refused with the message of Python', async () => {
  const { ask } = await start()
  const raw = Uint8Array.of(0x22, 0xff, 0x22)

  const message = "'utf-8' codec can't decode byte 0xff in position 1: invalid start byte"
  expect(await ask('POST', annotationsPath, { raw, headers: json })).toEqual(malformed(message))
})

test('a JSON content type can have any casing and parameters', async () => {
  const { ask } = await start()

  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;',
    ' Application/Json ; Charset=UTF-8',
  ]) {
    const options = { raw: '{"content": "x"}', headers: { 'content-type': type } }
    const response = await ask('POST', annotationsPath, options)
    expect(response, type).toMatchObject({ status: 201, body: { content: 'x' } })
  }
})

test('a body of another content type is refused, and the error quotes it', async () => {
  for (const profile of ['documented', 'live'] as const) {
    const { ask, simulator } = await start({ profile })
    for (const type of [
      ...['text/plain', 'text/plain;charset=UTF-8', 'application/xml', 'application/octet-stream'],
      ...['application/merge-patch+json', 'text/json', 'json', 'text/*'],
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

test('in the documented profile a form is refused', async () => {
  const { ask } = await start()

  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const options = { raw: 'content=x', headers: { 'content-type': type } }
    expect(await ask('POST', annotationsPath, options)).toEqual(unsupported(type))
    expect(await ask('PATCH', `${annotationsPath}1/`, options)).toEqual(unsupported(type))
  }
})

const plugins = `/api/organizations/${acme}/plugins/`
const badJson = 'Value must be valid JSON.'

const numbers = [
  ['1', '1'],
  ['1.0', '1.0'],
  ['1.50', '1.5'],
  ['1e2', '100.0'],
  ['1e15', '1000000000000000.0'],
  ['1e16', '1e+16'],
  ['1E-7', '1e-07'],
  ['0.0001', '0.0001'],
  ['0.0', '0.0'],
  ['-0.0', '-0.0'],
  ['-0', '0'],
  ['12345678901234567890123', '12345678901234567890123'],
  ['1e400', 'inf'],
  ['-1e400', '-inf'],
] as const

test.each(numbers)('the number %s becomes the text %s of Python', async (number, text) => {
  for (const profile of ['documented', 'live'] as const) {
    const { ask } = await start({ profile })
    const send = (path: string, body: string) => ask('POST', path, { raw: body, headers: json })
    const choice = `"${text}" is not a valid choice.`
    const words = `"plugin_type": "source", "name": ${number}, "tag": ${number}, "icon": ${number}`

    expect(
      await send(annotationsPath, `{"x": {"content": 7.0}, "content": ${number}}`),
    ).toMatchObject({ status: 201, body: { content: text } })
    expect(await send(plugins, `{${words}, "description":${number}}`)).toMatchObject({
      status: 201,
      body: { name: text, tag: text, icon: text, description: text },
    })
    expect(await send(annotationsPath, `{"scope":\n${number}}`)).toEqual(
      invalid('scope', 'invalid_choice', choice),
    )
  }
})

test('a number in a text, a key or an escape is no number', async () => {
  const { ask } = await start()
  const raw = '{"content ": 2, "1.0": 1.0, "\\u0063ontent": "a: 1.0, NaN"}'

  expect(await ask('POST', annotationsPath, { raw, headers: json })).toMatchObject({
    status: 201,
    body: { content: 'a: 1.0, NaN' },
  })
  const replaced = { raw: '{"content": 1.0, "content": "a"}', headers: json }
  expect(await ask('POST', annotationsPath, replaced)).toMatchObject({ body: { content: 'a' } })
  const escaped = { raw: '{"\\u0063ontent": 1.0}', headers: json }
  expect(await ask('POST', annotationsPath, escaped)).toMatchObject({ body: { content: '1.0' } })
})

test('a whole number with a fraction is a boolean and an id', async () => {
  const { ask } = await start()
  const raw = '{"deleted": 1.0, "dashboard_item": 10.0}'

  expect(await ask('POST', annotationsPath, { raw, headers: json })).toMatchObject({
    status: 201,
    body: { deleted: true, dashboard_item: 10 },
  })
  expect(
    await ask('POST', annotationsPath, { raw: '{"dashboard_item": 999.0}', headers: json }),
  ).toEqual(
    invalid('dashboard_item', 'does_not_exist', 'Invalid pk "999.0" - object does not exist.'),
  )
})

const constants = [
  ['NaN', 'nan'],
  ['Infinity', 'inf'],
  ['-Infinity', '-inf'],
] as const

test.each(constants)('live, %s in JSON is a number', async (number, text) => {
  const { ask } = await start({ profile: 'live' })
  const send = (path: string, raw: string) => ask('POST', path, { raw, headers: json })
  const field = (name: string) => send(annotationsPath, `{"${name}": ${number}}`)
  const pkType = 'Incorrect type. Expected pk value, received float.'

  expect(await field('content')).toMatchObject({ status: 201, body: { content: text } })
  expect(await field('deleted')).toEqual(
    invalid('deleted', 'invalid_input', 'Must be a valid boolean.'),
  )
  expect(await field('scope')).toEqual(
    invalid('scope', 'invalid_choice', `"${text}" is not a valid choice.`),
  )
  expect(await field('dashboard_item')).toEqual(invalid('dashboard_item', 'incorrect_type', pkType))
  expect((await field('id')).status).toBe(201)
  expect((await send(annotationsPath, `{"unknown": [{"x": ${number}}]}`)).status).toBe(201)
  for (const name of ['config_schema', 'capabilities', 'metrics', 'public_jobs']) {
    const nested = `{"plugin_type": "source", "${name}": {"a": [1, ${number}]}}`
    expect(await send(plugins, nested)).toEqual(invalid(name, 'invalid_input', badJson))
  }
  expect(await send(annotationsPath, `{"content": ${number}, }`)).toMatchObject({
    status: 400,
    body: { code: 'parse_error' },
  })
})

test.each(constants)('documented, %s is refused by name', async (number) => {
  const { ask } = await start()
  const message = `Out of range float values are not JSON compliant: '${number}'`

  for (const raw of [`{"content": ${number}}`, `[1, ${number}]`, number]) {
    expect(await ask('POST', annotationsPath, { raw, headers: json })).toEqual(malformed(message))
  }
})

test('the charset of a JSON body is obeyed, and an unknown one counts as UTF-8', async () => {
  const { ask } = await start()
  const bytes = (...values: number[]) => {
    const [start = [], end = []] = ['{"content": "', '"}'].map((text) => [
      ...new TextEncoder().encode(text),
    ])
    return Uint8Array.from([...start, ...values, ...end])
  }

  for (const [charset, values, content] of [
    ['latin-1', [0xe9], 'é'],
    ['"ISO-8859-1"', [0xe9, 0x80], 'é\x80'],
    ['shift_jis', [0x83, 0x65], 'テ'],
    ['UTF-8', [0xc3, 0xa9], 'é'],
    ['nonsense', [0xc3, 0xa9], 'é'],
  ] as const) {
    const headers = { 'content-type': `application/json; charset=${charset}` }
    const response = await ask('POST', annotationsPath, { raw: bytes(...values), headers })
    expect(response, charset).toMatchObject({ status: 201, body: { content } })
  }
  for (const separator of [';', ';  ', ' ; ']) {
    const headers = { 'content-type': `application/json${separator}charset=latin1` }
    const response = await ask('POST', annotationsPath, { raw: bytes(0xe9), headers })
    expect(response, separator).toMatchObject({ status: 201, body: { content: 'é' } })
  }
  const headers = { 'content-type': 'application/json; charset=nonsense' }
  expect((await ask('POST', annotationsPath, { raw: bytes(0xe9), headers })).status).toBe(400)
})

test('a byte order mark is refused, with and without a charset', async () => {
  const { ask } = await start()
  const raw = '\ufeff{"content": "x"}'
  const refused = malformed(
    'Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)',
  )

  for (const type of ['application/json', 'application/json; charset=utf-8']) {
    const headers = { 'content-type': type }
    expect(await ask('POST', annotationsPath, { raw, headers }), type).toEqual(refused)
  }
})

test('live, the content types */* and application/* are JSON; documented, they are refused', async () => {
  for (const [profile, status] of [
    ['live', 201],
    ['documented', 415],
  ] as const) {
    const { ask } = await start({ profile })
    for (const type of ['*/*', 'application/*', 'Application/*; charset=utf-8']) {
      const options = { raw: '{"content": "x"}', headers: { 'content-type': type } }
      expect((await ask('POST', annotationsPath, options)).status, type).toBe(status)
    }
  }
})
