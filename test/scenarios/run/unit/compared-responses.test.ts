import { expect, test } from 'vitest'
import type { ExpectedResponse } from '../../../../src/scenarios/format/scenario.ts'
import { compareResponse, parseTextBody } from '../../../../src/scenarios/run/execute-step.ts'
import type { ReceivedResponse } from '../../../../src/scenarios/run/target.ts'

const saved = new Map<string, unknown>([
  ['id', 5],
  ['base_url', 'http://localhost'],
])

/** Compares a response with the expected one. */
function compare(expected: ExpectedResponse, response: Partial<ReceivedResponse> = {}) {
  const { text = '' } = response
  const whole = { status: 200, headers: new Headers(), broken: false, ...response, text }
  return compareResponse(expected, whole, parseTextBody(text), saved)
}

const breaks = 'a broken connection'

test.each<[ExpectedResponse, Partial<ReceivedResponse>, expected: string, got: string]>([
  [{ broken: true }, {}, breaks, 'a response (200)'],
  [{ broken: true, status: 200 }, { status: 404 }, breaks, 'a response (404)'],
  [{ status: 404 }, { status: 200, broken: true }, 'a response (200)', breaks],
  [{ status: 404, text: 'a' }, { status: 0, broken: true }, 'a response', breaks],
])('%j and %j differ in the connection only', (expected, response, outcome, got) => {
  expect(compare(expected, response)).toEqual([
    { path: ['expect', 'broken'], where: 'broken', expected: outcome, got, inWords: true },
  ])
})

test('a connection that breaks as expected has no differences', () => {
  expect(compare({ broken: true }, { status: 0, broken: true })).toEqual([])
})

test.each([
  [200, 200, true],
  ['2xx', 299, true],
  ['2XX', 200, true],
  ['2xx', 300, false],
  ['404', 404, true],
  [404, 405, false],
])('the status %j expects %i: %j', (status, got, isExpected) => {
  expect(compare({ status }, { status: got })).toEqual(
    isExpected ? [] : [{ path: ['expect', 'status'], where: 'status', expected: status, got }],
  )
})

const headers = new Headers({ 'x-id': '5', 'retry-after': '3' })

test.each([
  [{ 'X-Id': '5', 'retry-after': { $match: 'text' } }, []],
  [{ 'x-id': { $text: '{id}' }, location: null }, []],
  [{ 'x-id': { $saved: 'id' } }, [['x-id', 5, '5']]],
  [
    { 'x-id': null, location: '/', 'retry-after': { $pattern: '^4' } },
    [
      ['x-id', { $match: 'absent' }, '5'],
      ['location', '/', undefined],
      ['retry-after', { $pattern: '^4' }, '3'],
    ],
  ],
] as const)('the headers %j are compared', (expected, differences) => {
  expect(compare({ headers: expected }, { headers })).toEqual(
    differences.map(([name, value, got]) => ({
      path: ['expect', 'headers', name],
      where: `headers.${name}`,
      expected: value,
      got,
    })),
  )
})

const body = { id: 5, rows: [{ a: 1, b: 2 }] }

test.each<
  [ExpectedResponse, path: (string | number)[], where: string, wanted: unknown, got: unknown]
>([
  [{ body: { id: 6 } }, ['body', 'id'], 'body.id', 6, 5],
  [{ body: { rows: [{ a: 3 }] } }, ['body', 'rows', 0, 'a'], 'body.rows[0].a', 3, 1],
  [{ body: undefined }, ['body'], 'body', undefined, body],
  [{ exact_body: { id: 5 } }, ['exact_body', 'rows'], 'body.rows', undefined, body.rows],
  [{ exact_body: null }, ['exact_body'], 'body', null, body],
  [{ text: '{}' }, ['text'], 'text', '{}', JSON.stringify(body)],
  [
    { text: { $text: '{base_url}/{id}' } },
    ['text'],
    'text',
    'http://localhost/5',
    JSON.stringify(body),
  ],
  [{ base64: 'e30=' }, ['base64'], 'base64', 'e30=', btoa(JSON.stringify(body))],
])('%j is not the response', (expected, path, where, wanted, got) => {
  expect(compare(expected, { text: JSON.stringify(body) })).toEqual([
    { path: ['expect', ...path], where, expected: wanted, got },
  ])
})

test.each<[ExpectedResponse, text: string]>([
  [{}, 'anything'],
  [{ body: { id: { $saved: 'id' }, rows: [{}] } }, JSON.stringify(body)],
  [{ exact_body: { ...body, id: { $match: 'id' } } }, JSON.stringify(body)],
  [{ body: undefined }, ''],
  [{ body: 'half {' }, 'half {'],
  [{ text: { $text: 'No. {id}' } }, 'No. 5'],
  [{ text: '{id}' }, '{id}'],
  [{ base64: 'w6Q=' }, 'ä'],
  [{ base64: '' }, ''],
])('%j is the response %j', (expected, text) => {
  expect(compare(expected, { text })).toEqual([])
})

test.each(['body', 'exact_body', 'text'] as const)('binary data has no %s', (part) => {
  const binary = { text: '\uFFFD', base64: '/w==' }
  const difference = (got: string) => [
    {
      path: ['expect', part],
      where: part.replace('exact_', ''),
      expected: 'a text',
      got,
      inWords: true,
    },
  ]
  const picture = { ...binary, headers: new Headers({ 'content-type': 'image/png' }) }

  expect(compare({ [part]: '\uFFFD' }, binary)).toEqual(difference('binary data (no content type)'))
  expect(compare({ [part]: '\uFFFD' }, picture)).toEqual(difference('binary data (image/png)'))
  expect(compare({ base64: '/w==' }, binary)).toEqual([])
  expect(compare({ base64: '/g==' }, binary)).toEqual([
    { path: ['expect', 'base64'], where: 'base64', expected: '/g==', got: '/w==' },
  ])
})

test('all parts that differ are named in the order of a response', () => {
  const differences = compare(
    { base64: '', text: '', exact_body: 1, body: 2, headers: { a: 'b' }, status: 404 },
    { text: '3' },
  )

  expect(differences.map(({ path }) => path[1])).toEqual([
    'status',
    'headers',
    'body',
    'exact_body',
    'text',
    'base64',
  ])
})
