import { expect, test } from 'vitest'
import { redactResult } from '../../../../src/scenarios/recording/redact-result.ts'
import type { ReplayResult, StepDifference } from '../../../../src/scenarios/run/result.ts'

const token = 'phx_0123456789abcdefghijklmnop'

function redact(text: string, ...differences: readonly Partial<StepDifference>[]) {
  const result: ReplayResult = {
    title: 'A story',
    passed: false,
    base_url: 'http://localhost',
    ms: 1,
    steps: [
      {
        step: 1,
        title: 'A step',
        outcome: 'failed',
        ms: 1,
        request: { method: 'GET', url: 'http://localhost/a' },
        response: { status: 200, text },
        differences: differences.map((each) => ({
          where: '',
          path: ['expect', 'status'],
          expected: 1,
          got: 2,
          ...each,
        })),
        decided_by: [],
        policies: [],
      },
    ],
  }
  const redacted = redactResult(result, ['badge'])
  const [step] = redacted.result.steps
  return { ...redacted, text: step?.response?.text, got: step?.differences.map(({ got }) => got) }
}

test('secrets of a response and of its differences are hidden, and other values stay', () => {
  const { text, got } = redact(
    JSON.stringify({ key: token, badge: 'red-7', note: 'plain' }),
    { got: 2 },
    { path: ['expect', 'body', 'badge'], got: 'red-7' },
    { path: ['expect', 'body', 'note'], got: 'plain' },
    { path: ['expect', 'body', 'rows', 0, 'badge'], got: { inner: 'red-7' } },
    { path: ['expect', 'body', 'gone'], got: undefined },
    { path: ['expect', 'text'], got: `the key ${token}` },
    { path: ['expect', 'headers', 'x-badge'], got: 'red-7' },
    { path: ['save', 'id'], got: 'nothing' },
  )

  expect(text).not.toContain(token)
  expect(JSON.parse(String(text))).toMatchObject({ note: 'plain' })
  const shown = JSON.stringify(got)
  expect(shown).not.toContain(token)
  expect(got?.[0]).toBe(2)
  expect(got?.[1]).not.toBe('red-7')
  expect(got?.[2]).toBe('plain')
  expect([got?.[4], got?.[7]]).toEqual([undefined, 'nothing'])
  expect(got?.[5]).toMatch(/^the key ./)
})

test('a hidden value is expected as a matcher, and not within a text', () => {
  const { toExpected, got } = redact(
    '{}',
    { path: ['expect', 'body', 'badge'], got: 'red-7' },
    { path: ['expect', 'text'], got: `the key ${token}` },
  )

  expect(toExpected(got?.[0], ['expect', 'body', 'badge'])).toMatchObject({
    $match: expect.anything(),
  })
  expect(toExpected(got?.[1], ['expect', 'text'])).toBe(undefined)
  expect(toExpected('plain', ['expect', 'text'])).toBe('plain')
  expect(toExpected('plain', ['expect', 'body', 'a'])).toBe('plain')
})

test('a text that begins with a hidden value is not expected', () => {
  const { toExpected, got } = redact('{}', { path: ['expect', 'text'], got: token })

  expect(got).toEqual(['replaced-key-1'])
  expect(toExpected(got?.[0], ['expect', 'text'])).toBe(undefined)
})

test('a body in base64 is hidden and not expected if it has a secret', () => {
  const bytes = btoa(`\xff${token}`)
  const { toExpected, got = [] } = redact(
    '',
    { path: ['expect', 'base64'], got: bytes },
    { path: ['expect', 'base64'], got: btoa('{"badge": "red-7"}') },
    { path: ['expect', 'base64'], got: '/w==' },
  )

  expect(got.map((value) => atob(String(value)).slice(-24))).toEqual([
    expect.stringMatching(/replaced-key-1$/),
    expect.stringContaining('replaced-secret-1'),
    '\xff',
  ])
  expect(got.map((value) => toExpected(value, ['expect', 'base64']))).toEqual([
    undefined,
    undefined,
    '/w==',
  ])
})

test('headers are hidden by their names and by what they contain', () => {
  const headers = ['badge', 'x-plain', 'x-note', 'set-cookie'].map((name) => ({
    path: ['expect', 'headers', name],
    got: name === 'x-note' ? `the key ${token}` : 'red-7',
  }))

  const { got } = redact('', ...headers)

  expect(got).toEqual(['replaced-secret-1', 'red-7', 'the key replaced-key-1', 'replaced-secret-1'])
})

test('the names around a value decide, and a whole body is redacted as a text', () => {
  const { got } = redact(
    '',
    { path: ['expect', 'body'], got: 'ada@canary.test' },
    { path: ['expect', 'body', 'rows', 0, 'badge'], got: 'red-7' },
    { path: ['expect', 'body', 'rows', 0, 'note'], got: 'red-7' },
    { path: ['expect', 'body', 'note'], got: { badge: 'red-7', count: 2 } },
    { path: ['expect', 'body', 'note'], got: null },
    { path: ['expect', 'text'], got: '{"badge":"red-7"}' },
    { path: ['expect', 'text'], got: '' },
    { path: ['save', 'badge'], got: 'red-7' },
  )

  expect(got).toEqual([
    'replaced-email-1@example.com',
    'replaced-secret-1',
    'red-7',
    { badge: 'replaced-secret-1', count: 2 },
    null,
    '{"badge":"replaced-secret-1"}',
    '',
    'red-7',
  ])
})

test.each([
  ['{"badge":{"owner":"red 7"}}', '{"badge":{"owner":"replaced-secret-1"}}'],
  ['{ "b\\u0061dge": "red-7" }', '{"badge":"replaced-secret-1"}'],
  ['{"first_name":"Ada"', '{"first_name":"replaced-name-1"'],
  ['badge=red-7&note=Ada', 'badge=replaced-secret-1&note=Ada'],
  ['"Ada"', '"Ada"'],
])('the JSON or other text %s is shown as %s', (text, shown) => {
  expect(redact('', { path: ['expect', 'text'], got: text }).got).toEqual([shown])
})

test('what a step failed to save is described in words, which stay', () => {
  const differences = ['base64', 'headers', 'badge'].map((name) => ({
    path: ['save', name],
    got: 'nothing.',
  }))

  expect(redact('', ...differences).got).toEqual(['nothing.', 'nothing.', 'nothing.'])
})

test('aliases of a body become patterns, and those of a text are not expected', () => {
  const { toExpected, got: [note] = [] } = redact('', {
    path: ['expect', 'body', 'note'],
    got: 'of ada@canary.test (1)\nin http://localhost/a',
  })

  expect(toExpected(note, ['expect', 'body'])).toEqual({
    $pattern: '^of .+ \\(1\\)\\nin https?:\\/\\/.+\\/a$',
  })
  expect(toExpected(note, ['expect', 'text'])).toBe(undefined)
  expect(toExpected(btoa(String(note)), ['expect', 'base64'])).toBe(undefined)
  expect(toExpected({ n: 1, key: 'replaced-key-9' }, ['expect', 'body'])).toEqual({
    n: 1,
    key: { $match: 'text' },
  })
})

test('a request without a response stays as it is', () => {
  const step = {
    request: { method: 'GET', url: 'http://localhost/a' },
    response: null,
    differences: [{ path: ['expect', 'broken'], got: token }],
  }

  const result = { steps: [step] } as unknown as ReplayResult

  expect(redactResult(result, []).result.steps).toEqual([step])
})

test('a step without a response stays as it is', () => {
  const step = { request: null, response: null, differences: [{ got: token }] }
  const result = { steps: [step] } as unknown as ReplayResult

  expect(redactResult(result, []).result.steps).toEqual([step])
})
