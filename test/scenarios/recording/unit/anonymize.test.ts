import { expect, test } from 'vitest'
import type { RequestStep } from '../../../../src/index.ts'
import { Anonymizer } from '../../../../src/scenarios/recording/anonymize.ts'
import {
  exampleOrigin,
  recordExchanges,
  recordSteps,
} from '../../../support/scenarios/exchanges.ts'

test('the same value always gets the same alias', () => {
  const steps = recordSteps([
    {
      method: 'POST',
      sent: { content: 'Ask ada@corp.test or Bob@corp.test' },
      received: {
        content: 'Ask ada@corp.test or Bob@corp.test',
        created_by: { first_name: 'Ada' },
      },
    },
    {
      url: '/api/projects/1/annotations/?search=ADA%40corp.test',
      received: { owner: 'cleo@corp.test', note: 'By cleo@corp.test (1.0)', name: 'Ada' },
    },
    { url: '/api/projects/1/annotations/?search=cleo%40corp.test', received: {} },
  ])

  expect(
    steps.map(({ query, body, expect: { exact_body } = {} }) => [query, body, exact_body]),
  ).toEqual([
    [
      undefined,
      { content: 'Ask replaced-email-1@example.com or replaced-email-2@example.com' },
      {
        content: 'Ask replaced-email-1@example.com or replaced-email-2@example.com',
        created_by: { first_name: { $match: 'text' } },
      },
    ],
    [
      { search: 'replaced-email-1@example.com' },
      undefined,
      // A replay may contain other people. Only fields for names are replaced.
      { owner: { $match: 'text' }, note: { $pattern: '^By .+ \\(1\\.0\\)$' }, name: 'Ada' },
    ],
    [{ search: '{owner}' }, undefined, {}],
  ])
})

test('a link with an alias matches at any base URL', () => {
  const path = '/api/projects/1/annotations/'
  const steps = recordSteps([
    {
      url: `${path}?search=ada%40corp.test`,
      received: { next: `${exampleOrigin}${path}?search=ada%40corp.test&offset=1` },
    },
    { url: path, received: { next: `${exampleOrigin}${path}?search=bob%40corp.test&offset=1` } },
  ])

  expect(steps.map(({ expect: { exact_body } = {} }) => exact_body)).toEqual([
    { next: { $text: `{base_url}${path}?search=replaced-email-1%40example.com&offset=1` } },
    {
      next: {
        $pattern: `^https?:\\/\\/.+\\/api\\/projects\\/1\\/annotations\\/\\?search=.+&offset=1$`,
      },
    },
  ])
})

test('keys and other secrets are replaced wherever they occur', () => {
  const { scenario, warnings } = recordExchanges([
    { bearer: 'phx_unnamed_0123', received: { token: 'canary-token', note: 'phx_unnamed_0123' } },
    { bearer: 'phx_wrong_012345', status: 401, received: { detail: 'phx_wrong_012345 is no key' } },
    {
      url: '/api/projects/canary-token/?key=phx_unnamed_0123&personal_api_key=phx_other_01234',
      received: { phx_0123456789abcdefgh: ['phx_0123456789abcdefgh', 'of canary-session'] },
      headers: { 'x-trace': 'of phx_unnamed_0123', cookie: 'theme=dark; session=canary-session' },
    },
  ])

  const text = JSON.stringify(scenario)
  expect(text).not.toMatch(/phx_|canary/)
  expect(scenario.steps).toMatchObject([
    { as: 'key-1', expect: { exact_body: { token: { $match: 'text' } } } },
    { headers: { authorization: 'Bearer replaced-key-2' }, expect: { status: 401 } },
    { as: 'key-2', path: '/api/projects/{token}/', query: { key: 'replaced-key-1' } },
  ])
  expect(warnings).toEqual([
    'steps[0] uses an unknown key: replay the scenario with --key key-1=VALUE.',
    'steps[2] uses an unknown key: replay the scenario with --key key-2=VALUE.',
  ])
})

/** Returns a function that anonymizes one response after the other. */
function shownBy(anonymizer: Anonymizer) {
  return (text: string, path = '/api/x/') => {
    const { url, response } = anonymizer.exchange({
      at: '2024-06-15T12:00:00Z',
      ms: 1,
      method: 'GET',
      url: exampleOrigin + path,
      request: { headers: [], body: null },
      response: { status: 200, headers: [], body: { text } },
    }).exchange
    return { path: url.slice(exampleOrigin.length), text: (response.body as { text: string }).text }
  }
}

test('a secret is replaced in field names and in repeated fields', () => {
  const shown = shownBy(new Anonymizer())

  expect(
    [
      '{"5550123456":1}',
      '{"phone":"5550123456"}',
      '{"phone":"5550123456","rows":[{"called":"5550123456","5550123456":7}]}',
      '{"token":"first-canary","token":"canary-number-two"}',
      "{'token': 'canary-of-python'}",
      '{"note":"first-canary","note":"ada@corp.test","note":"nothing"}',
      '{ "note" : "first-canary", "note" : "n\\"o" }',
    ].map((text) => shown(text).text),
  ).toEqual([
    '{"5550123456":1}',
    '{"phone":"replaced-person-1"}',
    '{"phone":"replaced-person-1","rows":[{"called":"replaced-person-1","replaced-person-1":7}]}',
    '{"token":"replaced-secret-1"}',
    "{'token': 'replaced-secret-2'}",
    '{"note":"replaced-secret-3","note":"replaced-email-1@example.com","note":"nothing"}',
    '{ "note" : "replaced-secret-3", "note" : "n\\"o" }',
  ])
})

test('numbers that contain the digits of a secret do not change', () => {
  const shown = shownBy(new Anonymizer())

  expect([
    shown('{"distinct_id":"100001","user":100001,"at":1710000199}').text,
    shown('{"user": 100001, "at": 1710000199}').text,
  ]).toEqual([
    '{"distinct_id":"replaced-person-1","user":100001,"at":1710000199}',
    '{"user": 100001, "at": 1710000199}',
  ])
})

test('whitespace in JSON does not affect which values are replaced', () => {
  const json = {
    credentials: { account: 'canary-one' },
    secret: ['canary two'],
    note: 'account": 3',
  }
  const [compact, spaced] = [0, 2].map((space) =>
    shownBy(new Anonymizer())(JSON.stringify(json, null, space)),
  )

  expect([compact, spaced].map((one) => JSON.parse(one?.text as string))).toEqual(
    Array(2).fill({
      credentials: { account: 'replaced-secret-1' },
      secret: ['replaced-secret-2'],
      note: 'account": 3',
    }),
  )
})

test('a secret behind a percent-encoded name is replaced from then on', () => {
  const shown = shownBy(new Anonymizer())

  expect([
    shown('{}', '/api/x%3Ftoken%3Dada@corp.test:hunter22secret/').path,
    shown('{"note":"of ada@corp.test:hunter22secret"}').text,
  ]).toEqual(['/api/x%3Ftoken%3Dreplaced-secret-1', '{"note":"of replaced-secret-2"}'])
})

test('a name is replaced only in fields for names', () => {
  const shown = shownBy(new Anonymizer())

  expect(shown('{"first_name":"Launch","content":"Launch day"}').text).toBe(
    '{"first_name":"replaced-name-1","content":"Launch day"}',
  )
})

test('with keep nothing is replaced, but keys are named by their labels', () => {
  const [step] = recordSteps(
    [{ bearer: 'phx_unnamed_0123', received: { first_name: 'Ada', email: 'ada@corp.test' } }],
    { keep: true },
  )

  expect(step).toEqual({
    title: 'List annotations',
    as: 'key-1',
    method: 'GET',
    path: '/api/projects/1/annotations/',
    expect: { status: 200, exact_body: { first_name: 'Ada', email: 'ada@corp.test' } },
  })
})

test('an e-mail address after a word of a million characters is replaced', () => {
  const long = 'x'.repeat(1_000_000)

  const [step] = recordSteps([
    { method: 'POST', sent: { content: `${long} ada@corp.test` }, received: {} },
  ])

  expect(step?.body).toEqual({ content: `${long} replaced-email-1@example.com` })
})

test('an e-mail address after a line break is replaced, and the line break stays', () => {
  const anonymizer = new Anonymizer()
  const hide = (text: string) => {
    const body = { text: JSON.stringify({ text }) }
    const message = { headers: [], body }
    const { response } = anonymizer.exchange({
      at: '2024-06-15T12:00:00Z',
      ms: 1,
      method: 'GET',
      url: 'http://a.test/api/x/',
      key: null,
      request: { headers: [], body: null },
      response: { status: 200, ...message },
    }).exchange
    return JSON.parse((response.body as { text: string }).text).text
  }

  expect(hide('cc\n@hedge.net')).toBe('cc\n@hedge.net')
  expect(hide('hi\nann@hedge.net')).toBe('hi\nreplaced-email-1@example.com')
})

test('the alias of a header or a cookie says what it was, and is the same in bodies', () => {
  const { scenario } = recordExchanges([
    {
      headers: { 'x-api-token': 'canary-header-1', cookie: 'theme=dark; session= canary-cookie-1' },
      received: { note: 'of canary-header-1 and canary-cookie-1' },
    },
    {
      headers: { authorization: 'Basic canary-basic-1' },
      status: 401,
      received: { a: 'canary-basic-1' },
    },
  ])

  const text = JSON.stringify(scenario)
  expect(text).not.toContain('canary')
  expect(
    (scenario.steps as RequestStep[]).map(({ headers, expect: { exact_body } = {} }) => [
      headers,
      exact_body,
    ]),
  ).toEqual([
    [
      { 'x-api-token': 'replaced-secret-1' },
      { note: { $pattern: '^of replaced-secret-1 and .+$' } },
    ],
    [{ authorization: 'Basic replaced-key-1' }, { a: { $match: 'text' } }],
  ])
})
