import { expect, test } from 'vitest'
import { Disguise } from '../../src/recordings/disguise.ts'
import { example } from '../support/exchange.ts'
import { recorded, steps } from '../support/recorded-exchanges.ts'

test('the same person is always replaced by the same words', () => {
  const asked = steps([
    {
      method: 'POST',
      sent: { content: 'Ask ada@corp.test or Bob@corp.test' },
      heard: { content: 'Ask ada@corp.test or Bob@corp.test', created_by: { first_name: 'Ada' } },
    },
    {
      url: '/api/projects/1/annotations/?search=ADA%40corp.test',
      heard: { owner: 'cleo@corp.test', note: 'By cleo@corp.test (1.0)', name: 'Ada' },
    },
    { url: '/api/projects/1/annotations/?search=cleo%40corp.test', heard: {} },
  ])

  expect(
    asked.map(({ query, body, expect: { exact_body } = {} }) => [query, body, exact_body]),
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
      // Whoever replays it may have other people. Only a field that says so holds the name of one.
      { owner: { $match: 'text' }, note: { $pattern: '^By .+ \\(1\\.0\\)$' }, name: 'Ada' },
    ],
    [{ search: '{owner}' }, undefined, {}],
  ])
})

test('a link is the same at any base URL, with what was replaced in it', () => {
  const path = '/api/projects/1/annotations/'
  const asked = steps([
    {
      url: `${path}?search=ada%40corp.test`,
      heard: { next: `${example}${path}?search=ada%40corp.test&offset=1` },
    },
    { url: path, heard: { next: `${example}${path}?search=bob%40corp.test&offset=1` } },
  ])

  expect(asked.map(({ expect: { exact_body } = {} }) => exact_body)).toEqual([
    { next: { $text: `{base_url}${path}?search=replaced-email-1%40example.com&offset=1` } },
    {
      next: {
        $pattern: `^https?:\\/\\/.+\\/api\\/projects\\/1\\/annotations\\/\\?search=.+&offset=1$`,
      },
    },
  ])
})

test('keys and other secrets are found wherever they stand', () => {
  const { scenario, warnings } = recorded([
    { bearer: 'phx_unnamed_0123', heard: { token: 'canary-token', note: 'phx_unnamed_0123' } },
    { bearer: 'phx_wrong_012345', status: 401, heard: { detail: 'phx_wrong_012345 is no key' } },
    {
      url: '/api/projects/canary-token/?key=phx_unnamed_0123&personal_api_key=phx_other_01234',
      heard: { phx_0123456789abcdefgh: ['phx_0123456789abcdefgh', 'of canary-session'] },
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
    'steps[0] has a key that is not known: replay it with --key key-1=VALUE.',
    'steps[2] has a key that is not known: replay it with --key key-2=VALUE.',
  ])
})

test('a secret is found as a number, as the name of a field, and by a name that stands twice', () => {
  const disguise = new Disguise()
  const shown = (text: string) => {
    const { answer } = disguise.exchange({
      at: '2024-06-15T12:00:00Z',
      ms: 1,
      method: 'GET',
      url: `${example}/api/x/`,
      request: { headers: [], body: null },
      answer: { status: 200, headers: [], body: { text } },
    })
    return (answer.body as { text: string }).text
  }

  expect([
    shown('{"5550123456":1}'),
    shown('{"phone":"5550123456"}'),
    shown('{"phone":"5550123456","rows":[{"called":5550123456,"5550123456":7}]}'),
    shown('{"called":5550123456}'),
    shown('{"token":"first-canary","token":"canary-number-two"}'),
    shown("{'token': 'canary-of-python'}"),
    shown('{"note":"first-canary","note":"ada@corp.test","note":"nothing"}'),
  ]).toEqual([
    '{"5550123456":1}',
    '{"phone":"replaced-person-1"}',
    '{"phone":"replaced-person-1","rows":[{"called":"replaced-person-1","replaced-person-1":7}]}',
    '{"called":"replaced-person-1"}',
    '{"token":"replaced-secret-1"}',
    "{'token': 'replaced-secret-3'}",
    '{"note":"replaced-secret-2","note":"replaced-email-1@example.com","note":"nothing"}',
  ])
})

test('all stays as it is when it shall be kept, but keys go by their labels', () => {
  const [step] = steps(
    [{ bearer: 'phx_unnamed_0123', heard: { first_name: 'Ada', email: 'ada@corp.test' } }],
    { keep: true },
  )

  expect(step).toEqual({
    as: 'key-1',
    method: 'GET',
    path: '/api/projects/1/annotations/',
    expect: { status: 200, exact_body: { first_name: 'Ada', email: 'ada@corp.test' } },
  })
})

test('an address is found behind a word of a million signs', () => {
  const long = 'x'.repeat(1_000_000)

  const [step] = steps([{ method: 'POST', sent: { content: `${long} ada@corp.test` }, heard: {} }])

  expect(step?.body).toEqual({ content: `${long} replaced-email-1@example.com` })
})

test('an address after a line end is replaced, and the line end stays', () => {
  const disguise = new Disguise()
  const told = (text: string) => {
    const body = { text: JSON.stringify({ text }) }
    const message = { headers: [], body }
    const { answer } = disguise.exchange({
      at: '2024-06-15T12:00:00Z',
      ms: 1,
      method: 'GET',
      url: 'http://a.test/api/x/',
      key: null,
      request: { headers: [], body: null },
      answer: { status: 200, ...message },
    })
    return JSON.parse((answer.body as { text: string }).text).text
  }

  expect(told('cc\n@hedge.net')).toBe('cc\n@hedge.net')
  expect(told('hi\nann@hedge.net')).toBe('hi\nreplaced-email-1@example.com')
})
