import { expect, test } from 'vitest'
import type { Exchange, RequestStep, Step } from '../../../../src/index.ts'
import { ExactRecorder } from '../../../../src/scenarios/recording/recorder.ts'
import { createExchange, exampleOrigin } from '../../../support/scenarios/exchanges.ts'

const known = 'phx_0123456789abcdef'
const labels = new Map<string, string | null>([
  [known, 'reader'],
  [`${known}-long`, null],
  ['mine', 'own'],
])

/** Records exchanges byte for byte. */
function record(...exchanges: readonly Exchange[]) {
  const steps: Step[] = []
  const omitted: string[] = []
  const sink = {
    add: (step: Step) => void steps.push(step),
    omit: (what: string) => void omitted.push(what),
  }
  const recorder = new ExactRecorder(sink, () => labels, ['badge'])
  for (const exchange of exchanges) recorder.add(exchange, exampleOrigin)
  return { recorder, steps: steps as RequestStep[], omitted }
}

type Message = Exchange['request']

const post = (
  request: Partial<Message>,
  response: Partial<Exchange['response']> = {},
): Exchange => {
  const empty = { headers: [], body: null }
  return {
    ...createExchange({ method: 'POST' }),
    request: { ...empty, ...request },
    response: { status: 200, ...empty, ...response },
  }
}

const typed = (type: string, text: string): Message => ({
  headers: [['Content-Type', type]],
  body: { text },
})

/** What the step of a request sends, besides method and path. */
function sentBy(exchange: Exchange) {
  const [{ method: _, path: __, expect: ___, ...sent } = {} as RequestStep] = record(exchange).steps
  return sent
}

test.each<readonly [string, Partial<Message>, object]>([
  ['no body', {}, {}],
  ['JSON', typed('application/json', '{"a":1}'), { body: { a: 1 } }],
  [
    'JSON with spaces',
    typed('application/json', '{ "a": 1 }'),
    { headers: { 'content-type': 'application/json' }, text: '{ "a": 1 }' },
  ],
  [
    'a JSON number',
    typed('application/json', '5'),
    { headers: { 'content-type': 'application/json' }, text: '5' },
  ],
  [
    'JSON that repeats a name',
    typed('text/{b}', '{"a":1,"a":2}'),
    { headers: { 'content-type': 'text/{{b}}' }, text: '{"a":1,"a":2}' },
  ],
  [
    'JSON of another type',
    typed('APPLICATION/JSON', '{"a":1}'),
    { headers: { 'content-type': 'APPLICATION/JSON' }, body: { a: 1 } },
  ],
  ['a text without a type', { body: { text: 'é' } }, { base64: 'w6k=' }],
  ['bytes', { body: { base64: 'AAAA' } }, { base64: 'AAAA' }],
  [
    'headers',
    {
      headers: [
        ['Accept', 'text/html'],
        ['X-Own', 'a'],
        ['Cookie', 'a=b'],
      ],
    },
    { headers: { accept: 'text/html' } },
  ],
  ['any Accept', { headers: [['Accept', '*/*']] }, {}],
])('a request with %s is repeated byte for byte', (_, request, sent) => {
  expect(sentBy(post(request))).toEqual(sent)
})

const url = { $text: '{base_url}/a' }

test.each<readonly [string, Partial<Exchange['response']>, unknown]>([
  ['no body', {}, { status: 200, text: '' }],
  [
    'JSON',
    typed('application/json', '{ "a": 1 }'),
    { status: 200, headers: { 'content-type': 'application/json' }, text: '{ "a": 1 }' },
  ],
  [
    'the base URL',
    { headers: [['Location', `${exampleOrigin}/a`]], body: { text: `{a} ${exampleOrigin}/b` } },
    { status: 200, headers: { location: url }, text: { $text: '{{a}} {base_url}/b' } },
  ],
  [
    'headers of the transport',
    {
      headers: ['Date', 'Connection', 'Content-Length', 'Server', 'Set-Cookie', 'ETag'].map(
        (name) => [name, 'a'] as const,
      ),
    },
    { status: 200, headers: { etag: 'a' }, text: '' },
  ],
  ['bytes', { body: { base64: 'AAAA' } }, { status: 200, base64: 'AAAA' }],
  ['a broken connection', { status: 0, body: { text: 'a' } }, { broken: true }],
])('a response with %s is expected byte for byte', (_, response, expected) => {
  expect(record(post({}, response)).steps).toMatchObject([{ expect: expected }])
})

test('requests and parts that no step can contain are named', () => {
  const large = post({ body: { omitted: 7 } }, { status: 600, body: { omitted: 9 } })
  const { steps, omitted } = record(
    { ...large, method: 'TRACE', url: `${exampleOrigin}/a` },
    { ...large, url: `${exampleOrigin}/a/../b` },
    { ...large, url: `${exampleOrigin}/a` },
    { ...large, method: 'GET', url: `${exampleOrigin}/{a}/?b={c}` },
    { ...large, method: 'HEAD', url: `${exampleOrigin}/a?b={c}` },
  )

  expect(steps).toEqual([{ method: 'HEAD', path: '/a?b={{c}}', expect: {} }])
  expect(omitted).toEqual([
    `TRACE ${exampleOrigin}/a (scenarios do not support this method)`,
    `POST ${exampleOrigin}/a/../b (no step can send a request to this address)`,
    `POST ${exampleOrigin}/a (its body was not recorded)`,
    `GET ${exampleOrigin}/{a}/?b={c} (no step can send a request to this address)`,
    'the response body of 9 bytes, which was not recorded',
    'the status 600, which is not valid',
  ])
})

/** The text of a request, as it is recorded. */
const hide = (text: string) =>
  Buffer.from(String(record(post({ body: { text } })).steps[0]?.base64), 'base64').toString()

test.each([
  [known, known],
  [`${known}-long`, `${known}-long`],
  [`${known}g`, 'phx_unknown_1________'],
  ['phx_fedcba987654321', 'phx_fedcba987654321'],
  ['phc_fedcba9876543210', 'phc_fedcba9876543210'],
  [
    'phx_fedcba9876543210 phx_0000000000000000 phx_fedcba9876543210',
    'phx_unknown_1_______ phx_unknown_2_______ phx_unknown_1_______',
  ],
  ['Bearer abcdefgh12', 'Bearer phx_1_____'],
  ['{"token":"abc","badge":"red","key":"abc"}', '{"token":"phx","badge":"phx","key":"abc"}'],
  ['{"token":"mine","badge":""}', '{"token":"mine","badge":""}'],
  ['ada@corp.test', 'ada@corp.test'],
])('of the text %s only unknown keys are hidden: %s', (text, expected) => {
  expect(hide(text)).toBe(expected)
})

test('a key that a request contained is hidden in its address, in responses and in changes', () => {
  const secret = 'a-secret-of-16-c'
  const { steps, recorder } = record(
    createExchange({
      method: 'POST',
      url: `/a/${secret}/?n=${secret}`,
      bearer: 'phx_fedcba9876543210',
      sent: { badge: secret, token: 'short' },
      received: {
        note: `of ${secret}, short and phx_0000000000000000`,
        token: 'short',
        badge: 'x',
      },
    }),
    createExchange({ bearer: 'mine' }),
    createExchange({ bearer: `${known}-long` }),
  )
  recorder.addChange({ snapshot: `of ${secret} and phx_0000000000000000` })

  expect(steps).toMatchObject([
    {
      path: '/a/phx_unknown_1___/?n=phx_unknown_1___',
      headers: { authorization: 'Bearer phx_unknown_3_______' },
      body: { badge: 'phx_unknown_1___', token: 'phx_u' },
      expect: {
        text: '{"note":"of phx_unknown_1___, short and phx_0000000000000000","token":"phx_u","badge":"x"}',
      },
    },
    { as: 'own' },
    { headers: { authorization: `Bearer ${known}-long` } },
    { snapshot: 'of phx_unknown_1___ and phx_0000000000000000' },
  ])
})

test('texts that repeat short keys stay distinct, and words stay', () => {
  const keys = ['hunter2', 'hunter3', 'invalid', '123456', 'a1']
  const { steps } = record(
    ...keys.map((key) =>
      createExchange({ method: 'POST', sent: { token: key, content: `of ${key}` } }),
    ),
  )

  expect(steps.map(({ body }) => body)).toEqual([
    { token: 'phx_1__', content: 'of phx_1__' },
    { token: 'phx_2__', content: 'of phx_2__' },
    { token: 'phx_unk', content: 'of invalid' },
    { token: 'phx_un', content: 'of 123456' },
    { token: 'ph', content: 'of a1' },
  ])
})
