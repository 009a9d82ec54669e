import { expect, test } from 'vitest'
import {
  type ApiResponse,
  bodyLength,
  bodyText,
  createNetworkError,
  isChunked,
  isOmitted,
  isSimulatedNetworkError,
  jsonResponse,
  type MessageBody,
  sentHeaders,
} from '../../../src/http/messages.ts'
import { JsonText, toJsonText } from '../../../src/utils/json.ts'
import { JsonPage, Slice } from '../../../src/utils/json-page.ts'

async function* chunks() {
  yield Uint8Array.of(1)
}

const page = new JsonPage('{"results":', new Slice([toJsonText({ id: 1 })], 1))

test.each<[title: string, body: MessageBody, text: string, bytes: number | undefined]>([
  ['none', null, '', 0],
  ['a text', 'ü', 'ü', 2],
  ['bytes', new TextEncoder().encode('ü'), 'ü', 2],
  ['JSON', toJsonText('ü'), '"ü"', 4],
  ['a page', page, '{"results":[{"id":1}]}', 22],
  ['a text that is written again', { text: 'ü' }, 'ü', 2],
  ['chunks', chunks(), '', undefined],
  ['chunks of a text', { text: 'ü', ...chunks() }, 'ü', 2],
  ['a body that is too large', { omitted: 9 }, '', 9],
])('the text and the length of a body: %s', (_title, body, text, bytes) => {
  expect([bodyText(body), bodyLength(body)]).toEqual([text, bytes])
})

test('chunks and omitted bodies are recognized', () => {
  const bodies: MessageBody[] = [null, 'a', new Uint8Array(), page, chunks(), { omitted: 1 }]

  expect(bodies.map(isChunked)).toEqual([false, false, false, false, true, false])
  expect(bodies.map(isOmitted)).toEqual([false, false, false, false, false, true])
})

const json = { 'content-type': 'application/json' }

test.each<[title: string, response: ApiResponse, headers: ApiResponse['headers']]>([
  ['JSON', jsonResponse(200, toJsonText('ü')), { ...json, 'content-length': '4' }],
  [
    'JSON with more headers',
    jsonResponse(200, toJsonText('u'), { allow: 'GET' }),
    { ...json, 'content-length': '3', allow: 'GET' },
  ],
  [
    'a changed body',
    { ...jsonResponse(200, toJsonText('u')), body: new JsonText('{}') },
    { ...json, 'content-length': '2' },
  ],
  ['no body', { status: 205, headers: {}, body: null }, { 'content-length': '0' }],
  ['204', { status: 204, headers: { allow: 'GET' }, body: null }, { allow: 'GET' }],
  ['304', { status: 304, headers: {}, body: null }, {}],
  ['a network error', { status: 0, headers: {}, body: null }, {}],
  ['chunks', { status: 200, headers: json, body: chunks() }, json],
])('the headers of a response have the length of its body: %s', (_title, response, headers) => {
  expect({ ...sentHeaders(response) }).toEqual(headers)
})

test('a simulated network error looks like that of fetch, and code can distinguish it', () => {
  const error = createNetworkError()

  expect([error.name, error.message]).toEqual(['TypeError', 'terminated'])
  const others = [new TypeError('terminated'), null, undefined, 'terminated']
  expect([error, ...others].map(isSimulatedNetworkError)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})
