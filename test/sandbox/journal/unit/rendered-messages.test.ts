import { expect, test } from 'vitest'
import type { JournalRecord } from '../../../../src/sandbox/journal/journal.ts'
import {
  decodeRequestBody,
  parseRequestBody,
  renderRequest,
  renderResponse,
} from '../../../../src/sandbox/journal/render-parts.ts'
import { KeyRedactor } from '../../../../src/utils/redaction/mask.ts'

const key = 'phx_0123456789abcdef1234'
const redactor = new KeyRedactor([key])
const json = 'application/json'
const form = 'application/x-www-form-urlencoded; charset=utf-8'

function requestOf(requestBody: JournalRecord['requestBody'], type: string | null): JournalRecord {
  const requestHeaders = new Headers({ authorization: `Bearer ${key}` })
  if (type !== null) requestHeaders.set('content-type', type)
  return { requestBody, requestHeaders } as unknown as JournalRecord
}

interface Body {
  readonly title: string
  readonly sent: JournalRecord['requestBody']
  readonly type?: string | null
  /** The decoded body, keys included. Undefined if it is neither JSON nor a form */
  readonly decoded: unknown
  /** The body that the journal shows, and its text. By default they are those that were sent */
  readonly body?: unknown
  readonly text?: string
  readonly bytes: number
}

const encode = (text: string) => new TextEncoder().encode(text)

const bodies: readonly Body[] = [
  { title: 'no body', sent: null, decoded: undefined, body: null, text: '', bytes: 0 },
  { title: 'an empty body', sent: '', decoded: undefined, body: null, text: '', bytes: 0 },
  { title: 'JSON', sent: '{"a": "é"}', decoded: { a: 'é' }, body: { a: 'é' }, bytes: 11 },
  { title: 'JSON without a type', sent: '[1]', type: null, decoded: [1], body: [1], bytes: 3 },
  { title: 'the text null', sent: 'null', decoded: null, body: null, bytes: 4 },
  { title: 'half of JSON', sent: '{"a"', decoded: undefined, body: '{"a"', bytes: 4 },
  {
    title: 'a key in JSON',
    sent: `{"a": "${key}"}`,
    decoded: { a: key },
    body: { a: 'phx_…1234' },
    text: '{"a":"phx_…1234"}',
    bytes: 33,
  },
  {
    title: 'a field twice, once with a key',
    sent: `{"a": "${key}", "a": 1}`,
    decoded: { a: 1 },
    body: { a: 1 },
    text: '{"a": "phx_…1234", "a": 1}',
    bytes: 41,
  },
  {
    title: 'a key in a text',
    sent: `my ${key}`,
    decoded: undefined,
    body: 'my phx_…1234',
    text: 'my phx_…1234',
    bytes: 27,
  },
  {
    title: 'a form',
    sent: `a=1&a=2&b=${key}`,
    type: form,
    decoded: { a: '2', b: key },
    body: { a: '2', b: 'phx_…1234' },
    text: 'a=1&a=2&b=phx_%E2%80%A61234',
    bytes: 34,
  },
  { title: 'JSON as a form', sent: '1', type: form, decoded: { 1: '' }, body: { 1: '' }, bytes: 1 },
  {
    title: 'another form',
    sent: 'a=1',
    type: `x-${form}`,
    decoded: undefined,
    body: 'a=1',
    bytes: 3,
  },
  {
    title: 'bytes',
    sent: new Uint8Array([...encode('[1]'), 0xc3]),
    decoded: undefined,
    body: '[1]\ufffd',
    text: '[1]\ufffd',
    bytes: 4,
  },
  {
    title: 'bytes of JSON',
    sent: encode('["é"]'),
    decoded: ['é'],
    body: ['é'],
    text: '["é"]',
    bytes: 6,
  },
]

const shownHeaders = (type: string | null) => ({
  authorization: 'Bearer phx_…1234',
  ...(type !== null && { 'content-type': type }),
})

test.each(bodies)('a request is shown with masked keys: $title', (row) => {
  const { sent, type = json, body, text = sent, bytes } = row

  expect(renderRequest(requestOf(sent, type), redactor)).toEqual({
    message: { headers: shownHeaders(type), body, bytes, omitted: false },
    text,
  })
})

test.each(bodies)('the body of a request is decoded, keys included: $title', (row) => {
  const { sent, type = json, decoded, body } = row
  const record = requestOf(sent, type)

  expect(parseRequestBody(record)).toEqual(decoded)
  const text = body === null ? null : new TextDecoder().decode(encode(String(sent)))
  const value = decoded === undefined ? (sent instanceof Uint8Array ? body : text) : decoded
  expect(decodeRequestBody(record)).toEqual({ value })
})

test('of an omitted body, the length is shown', () => {
  const omitted = { headers: shownHeaders(json), body: null, bytes: 5_000, omitted: true }
  const headers = { authorization: `Bearer ${key}`, 'content-type': json }
  const response = { status: 200, headers, body: { omitted: 5_000 } }
  const record = requestOf({ omitted: 5_000 }, json)

  expect(renderRequest(record, redactor)).toEqual({ message: omitted, text: '' })
  expect(renderResponse({ response } as never, redactor)).toEqual({
    message: { ...omitted, headers: { ...omitted.headers, 'content-length': '5000' } },
    text: '',
  })
  expect([parseRequestBody(record), decodeRequestBody(record)]).toEqual([
    undefined,
    { omitted: 5_000 },
  ])
})
