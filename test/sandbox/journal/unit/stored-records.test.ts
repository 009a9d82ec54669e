import { expect, test } from 'vitest'
import {
  compactRecord,
  isOmitted,
  type JournalRecord,
  recordSize,
  responseHead,
} from '../../../../src/sandbox/journal/record.ts'
import { EncodedPage, EncodedRows, JsonPage, Slice } from '../../../../src/utils/json-page.ts'
import { toJsonText } from '../../../../src/utils/json-text.ts'

const headers = { 'content-type': 'application/json' }
const limit = 1_000

function recordOf(fields: object): JournalRecord {
  return {
    target: '/api/',
    requestHeaders: { bytes: 50 },
    requestBody: null,
    response: { status: 200, headers, text: '', ascii: true },
    fault: null,
    changes: [],
    ...fields,
  } as unknown as JournalRecord
}

function compact(fields: object): JournalRecord {
  const record = recordOf(fields)
  compactRecord(record as never, limit)
  return record
}

/** The response of a page whose rows share a buffer of this many rows of 100 bytes. */
function pageOf(rowCount: number, sharedRows = rowCount, head = '{"results":') {
  const row = toJsonText('x'.repeat(97))
  const rows = new EncodedRows(Array.from({ length: sharedRows }, () => row))
  const part = rows.slice(0, rowCount)
  const page = new JsonPage(head, new Slice(new EncodedPage(rowCount, [part]), 9), '}')
  return { status: 200, headers, text: page.text, ascii: true, page }
}

test.each([
  ['null', null, null],
  ['text of the limit', 'a'.repeat(1_000), 'a'.repeat(1_000)],
  ['text over the limit', 'a'.repeat(1_001), { omitted: 1_001 }],
  ['bytes of the limit', new Uint8Array(1_000), new Uint8Array(1_000)],
  ['bytes over the limit', new Uint8Array(1_001), { omitted: 1_001 }],
  ['a body that was omitted already', { omitted: 9 }, { omitted: 9 }],
])('the stored body of a request: %s', (_title, requestBody, stored) => {
  expect(compact({ requestBody }).requestBody).toEqual(stored)
  expect(isOmitted(stored)).toBe(Object(stored).omitted !== undefined)
})

test.each([
  [1_034, false],
  [1_035, true],
])('five bytes of a buffer of %i bytes are copied: %s', (size, isCopied) => {
  const requestBody = new Uint8Array(new ArrayBuffer(size), 10, 5).fill(7)

  const stored = compact({ requestBody }).requestBody as Uint8Array

  expect(stored).toEqual(new Uint8Array(5).fill(7))
  expect(stored.buffer.byteLength).toBe(isCopied ? 5 : size)
})

test.each([
  ['a text of the limit', 'a'.repeat(1_000), true, null],
  ['a longer text', 'a'.repeat(1_001), true, 1_001],
  ['half as many characters beyond ASCII', 'é'.repeat(500), false, null],
  ['more of them', 'é'.repeat(501), false, 1_002],
])('the stored response: %s', (_title, text, ascii, omitted) => {
  const response = { status: 201, headers, text, ascii }

  const stored = compact({ response }).response

  expect(stored).toEqual(omitted === null ? response : { status: 201, headers, omitted })
})

test('a stream or a page in a response is not stored, and an omitted response stays as it is', () => {
  const text = { status: 200, headers, text: '{}', ascii: false }
  const omitted = { status: 200, headers, omitted: 5 }
  const shared = pageOf(2, 9)
  const { page: _, ...withoutPage } = shared

  expect(compact({ response: { ...text, stream: [] } }).response).toEqual(text)
  expect(compact({ response: omitted }).response).toBe(omitted)
  expect(compact({ response: shared }).response).toEqual(withoutPage)
})

test.each([
  ['a page over the limit', pageOf(9, 9, '{"results":'.padEnd(99)), { omitted: 1_001 }],
  ['a page of the limit', pageOf(9, 9, '{"results":'.padEnd(98)), { memory: 900, ascii: true }],
  ['a page that shares four times its bytes', pageOf(2, 8), { memory: 800, ascii: true }],
])('a page is stored by its rows unless it is too large: %s', (_title, response, stored) => {
  const { page, text } = response

  const { response: actual } = compact({ response })

  expect(actual).toMatchObject({ status: 200, headers, ...stored })
  expect('source' in actual && actual.source).toBe('omitted' in stored ? false : page)
  expect('text' in actual && actual.text).toBe('omitted' in stored ? false : text)
})

test('a text that can be written again is stored by its source, unless it is too long', () => {
  const sourceOf = (text: string) => ({
    status: 200,
    headers,
    text,
    ascii: false,
    source: { text },
  })

  const [short, long] = [sourceOf('é'.repeat(500)), sourceOf('é'.repeat(501))]

  expect(compact({ response: short }).response).toEqual({
    ...short,
    memory: 1_000,
    text: undefined,
  })
  expect(compact({ response: short }).response).toHaveProperty('text', short.text)
  expect(compact({ response: long }).response).toEqual({ status: 200, headers, omitted: 1_002 })
})

test('of a fault, only its rule, its phase and its effect are stored', () => {
  const fault = { id: 'fault-1', phase: 'before', effect: { drop: true } }

  expect(compact({ fault: { ...fault, apply() {} } }).fault).toEqual(fault)
  expect(compact({ fault: null }).fault).toBeNull()
})

test.each([
  ['nothing else', {}, 655],
  ['headers', { requestHeaders: new Headers({ accept: '*/*', host: 'a.test' }) }, 624],
  ['a short text', { requestBody: 'a'.repeat(63) }, 781],
  ['a text', { requestBody: 'a'.repeat(64) }, 719],
  ['bytes, with their buffer', { requestBody: new Uint8Array(new ArrayBuffer(100), 0, 1) }, 755],
  ['an omitted body', { requestBody: { omitted: 5_000 } }, 655],
  ['a response', { response: { status: 200, headers, text: 'é{}', ascii: false } }, 661],
  ['an ASCII response', { response: { status: 200, headers, text: '{}', ascii: true } }, 657],
  ['an omitted response', { response: { status: 200, headers, omitted: 5_000 } }, 655],
  ['changes', { changes: [{ bytes: 100 }, { bytes: 20 }] }, 775],
])('the estimated memory of a record with %s', (_title, fields, bytes) => {
  expect(recordSize(recordOf(fields))).toBe(bytes)
})

test('the estimated memory of a stored page is that of its rows', () => {
  expect(recordSize(compact({ response: pageOf(2, 8) }))).toBe(1_455)
})

test('the head of a response is the text before the rows of a page, or 1,000 characters', () => {
  const headOf = (response: object) => responseHead(compact({ response }))
  const text = `${'a'.repeat(999)}bc`

  expect(headOf(pageOf(2))).toBe('{"results":')
  expect(headOf({ status: 200, headers, omitted: 5_000 })).toBe('')
  expect(responseHead(recordOf({ response: { text } }))).toBe(`${'a'.repeat(999)}b`)
  expect(headOf({ status: 200, headers, text: '{}', ascii: true, source: { text: '{}' } })).toBe(
    '{}',
  )
})
