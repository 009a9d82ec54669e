import { expect, test } from 'vitest'
import type { ExpectedResponse } from '../../../../src/scenarios/format/scenario.ts'
import {
  completeResponse,
  hasExpectedStatus,
} from '../../../../src/scenarios/replay-server/complete-recording.ts'
import type { ReceivedResponse } from '../../../../src/scenarios/run/target.ts'

const saved = new Map<string, unknown>([['id', 5]])

/** A simulated response with a JSON body. */
const response = (body?: unknown, more: object = {}): ReceivedResponse => ({
  status: 200,
  headers: new Headers({ 'content-type': 'application/json', 'x-mark': 'seen' }),
  text: body === undefined ? '' : JSON.stringify(body),
  broken: false,
  ...more,
})

/** Completes a recorded response. A matcher without a simulated value gets `<its name>`. */
function complete(expected: ExpectedResponse | undefined, simulated: ReceivedResponse) {
  const { headers, ...rest } = completeResponse(expected, simulated, saved, (name) => `<${name}>`)
  return { ...rest, headers: Object.fromEntries(headers) }
}

const json = { 'content-type': 'application/json' }
const marked = { ...json, 'x-mark': 'seen' }

test.each([
  undefined,
  {},
  { status: 200 },
  { status: '2xx', headers: { 'x-mark': 'seen', location: null }, body: { id: { $match: 'id' } } },
] as const)('a simulated response that is as recorded with %j stays as it is', (expected) => {
  const simulated = response({ id: 1 })

  expect(completeResponse(expected, simulated, saved, () => undefined)).toBe(simulated)
})

test('a recorded connection breaks whatever is simulated', () => {
  expect(complete({ broken: true, text: 'a' }, response({ id: 1 }))).toEqual({
    status: 0,
    headers: {},
    text: '',
    broken: true,
  })
})

const error = (type: string, code: string, detail: string) =>
  JSON.stringify({ type, code, detail, attr: null })

test.each([
  [404, 404, error('invalid_request', 'not_found', 'Not found.')],
  [400, 400, error('invalid_request', 'parse_error', 'Malformed request.')],
  ['4XX', 400, error('invalid_request', 'parse_error', 'Malformed request.')],
  ['5xx', 500, error('server_error', 'error', 'A server error occurred.')],
  [410, 410, ''],
  ['2xx', 200, ''],
  [204, 204, ''],
  [302, 302, ''],
])('the status %j replaces another one by %i', (status, actual, text) => {
  const { headers, ...rest } = complete({ status }, response({ id: 1 }, { status: 303 }))

  expect(rest).toEqual({ status: actual, text, broken: false })
  expect(headers).toEqual(
    text === '' ? {} : expect.objectContaining({ 'content-type': 'application/json' }),
  )
})

test('a simulated connection that breaks has no values, and by default the status is 200', () => {
  const broken = response({ id: 1 }, { status: 0, broken: true })

  expect(complete({ body: { id: 2 } }, broken)).toEqual({
    status: 200,
    headers: json,
    text: '{"id":2}',
    broken: false,
  })
})

test.each([
  [{}, {}, true],
  [{ status: 200 }, {}, true],
  [{ status: '2xx' }, { status: 299 }, true],
  [{ status: 201 }, {}, false],
  [{}, { broken: true }, false],
  [{ status: 200 }, { broken: true }, false],
] as const)(
  'the recorded %j and the simulated %j have the same status: %j',
  (expected, more, isSame) => {
    expect(hasExpectedStatus(expected, response(1, more))).toBe(isSame)
  },
)

test('recorded headers replace simulated ones, and null removes one', () => {
  const headers = {
    'X-Mark': null,
    'x-id': { $text: 'no. {id}' },
    'x-saved': { $saved: 'id' },
    'x-new': { $match: 'text' },
    'content-type': { $match: 'text' },
    'x-pattern': { $pattern: '^a' },
  }

  expect(complete({ headers, body: { id: 1 } }, response({ id: 1 })).headers).toEqual({
    'content-type': 'application/json',
    'x-id': 'no. 5',
    'x-saved': '5',
    'x-new': '<text>',
  })
})

const simulated = {
  id: 1,
  name: 'a',
  at: null,
  rows: [
    { id: 1, tag: 'x' },
    { id: 2, tag: 'y' },
  ],
}

/** A recorded body, and what it is completed to. */
test.each<[ExpectedResponse, unknown]>([
  // Fields that are not recorded are simulated.
  [{ body: { name: 'b' } }, { ...simulated, name: 'b' }],
  [{ body: { name: 'b', more: { a: 1 } } }, { ...simulated, name: 'b', more: { a: 1 } }],
  [{ exact_body: { name: 'b', at: { $match: 'any' } } }, { name: 'b', at: null }],
  // Matchers take the simulated value, or get a placeholder.
  [{ body: { id: { $match: 'id' }, name: 'b' } }, { ...simulated, name: 'b' }],
  [{ body: { name: { $match: 'id' } } }, { ...simulated, name: '<id>' }],
  [{ body: { other: { $match: 'uuid' } } }, { ...simulated, other: '<uuid>' }],
  [{ body: { name: { $pattern: '^b' } } }, simulated],
  [{ body: { name: { $not: 'a' } } }, simulated],
  [{ body: { name: { $match: 'text' }, at: { $match: 'time' } } }, { ...simulated, at: '<time>' }],
  [{ body: { toString: { $match: 'any' } } }, { ...simulated, toString: '<any>' }],
  // Recorded and saved values are plain.
  [{ body: { name: { $saved: 'id' } } }, { ...simulated, name: 5 }],
  [{ body: { name: { $literal: { $match: 'id' } } } }, { ...simulated, name: { $match: 'id' } }],
  [{ body: { name: null } }, { ...simulated, name: null }],
  // Lists of the same length are completed item by item, others by the items that match.
  [
    { body: { rows: [{ tag: 'z' }, {}] } },
    { ...simulated, rows: [{ id: 1, tag: 'z' }, simulated.rows[1]] },
  ],
  [{ body: { rows: [{ tag: 'y' }] } }, { ...simulated, rows: [simulated.rows[1]] }],
  [{ body: { rows: [{ tag: 'z' }] } }, { ...simulated, rows: [{ id: 1, tag: 'z' }] }],
  [
    { body: { rows: [{ tag: 'z' }, { tag: 'x' }, { tag: 'w' }] } },
    { ...simulated, rows: [{ id: 1, tag: 'z' }, { id: 1, tag: 'x' }, { tag: 'w' }] },
  ],
  [{ exact_body: { rows: [{ tag: 'y' }] } }, { rows: [{ tag: 'y' }] }],
  [{ body: { name: ['b', { $match: 'id' }] } }, { ...simulated, name: ['b', '<id>'] }],
  [{ body: { rows: {} } }, { ...simulated, rows: {} }],
  [{ body: [{ id: { $match: 'id' } }] }, [{ id: '<id>' }]],
  [{ body: 5 }, 5],
  [{ body: 'a text' }, 'a text'],
])('%j is completed to %j', (expected, body) => {
  expect(complete(expected, response(simulated))).toEqual({
    status: 200,
    headers: marked,
    text: JSON.stringify(body),
    broken: false,
  })
})

const noType = { headers: new Headers() }
const html = { headers: new Headers({ 'content-type': 'text/html' }) }

test.each<[ExpectedResponse, ReceivedResponse, text: string, headers: object]>([
  [{ text: 'half {' }, response(simulated), 'half {', marked],
  [{ text: { $text: 'No. {id}' } }, response(simulated), 'No. 5', marked],
  [{ text: '' }, response(simulated, noType), '', {}],
  [{ text: 'a' }, response(simulated, noType), 'a', json],
  [{ text: 'a' }, response(simulated, html), 'a', { 'content-type': 'text/html' }],
  [{ body: 'b' }, response('a', html), 'b', { 'content-type': 'text/html' }],
  [{ body: { a: 1 } }, response('a', html), '{"a":1}', { 'content-type': 'text/html' }],
  [{ body: 'b' }, response('a', noType), '"b"', json],
  [{ body: { $match: 'absent' } }, response(), '', marked],
  [{ headers: { a: '1' } }, response(simulated), JSON.stringify(simulated), { ...marked, a: '1' }],
  [{ headers: { a: '1' }, body: { $pattern: 'a' } }, response(), '', { ...marked, a: '1' }],
])('the recorded %j decides the text of %j', (expected, base, text, headers) => {
  expect(complete(expected, base)).toEqual({ status: 200, headers, text, broken: false })
})

test('recorded bytes replace a simulated text', () => {
  expect(complete({ base64: '/2E=' }, response(simulated))).toEqual({
    status: 200,
    headers: marked,
    text: '\uFFFDa',
    base64: '/2E=',
    broken: false,
  })
})
