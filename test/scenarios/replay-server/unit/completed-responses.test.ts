import { expect, test } from 'vitest'
import type { ExpectedResponse } from '../../../../src/scenarios/format/scenario.ts'
import { completeResponse } from '../../../../src/scenarios/replay-server/complete-recording.ts'
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

test('a recorded text is sent as JSON with a status that has no body of its own', () => {
  expect(complete({ status: 410, body: 'Gone' }, response())).toEqual({
    status: 410,
    headers: json,
    text: '"Gone"',
    broken: false,
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
