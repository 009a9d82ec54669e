import { expect, test } from 'vitest'
import type { ExpectedResponse } from '../../../../src/scenarios/format/scenario.ts'
import { compareResponse, parseTextBody } from '../../../../src/scenarios/run/run-steps.ts'
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

test('a hidden value in a text matches any text', () => {
  const text = 'Sent by replaced-name-1.'

  expect(compare({ text }, { text: 'Sent by Ada.' })).toEqual([])
  expect(compare({ text }, { text: 'Read by Ada.' })).toMatchObject([
    { where: 'text', expected: text, got: 'Read by Ada.' },
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

test.each([
  ['a response', 'a broken connection', {}, { status: 0, broken: true }],
  ['a response (200)', 'a broken connection', {}, { status: 200, broken: true }],
  ['a broken connection', 'a response (503)', { broken: true }, { status: 503 }],
] as const)('in place of %s came %s', (wanted, got, expected, response) => {
  expect(compare(expected, response)).toEqual([
    { path: ['expect', 'broken'], where: 'broken', expected: wanted, got, inWords: true },
  ])
})
