import { expect, test } from 'vitest'
import type { Exchange } from '../../../../src/index.ts'
import { Anonymizer, keepEverything } from '../../../../src/scenarios/recording/anonymize.ts'
import { createExchange } from '../../../support/scenarios/exchanges.ts'

type Message = Exchange['request']

const form = [['content-type', 'application/x-www-form-urlencoded']] as const

function exchangeOf(request: Message, response: Message = { headers: [], body: null }): Exchange {
  return { ...createExchange({ method: 'POST' }), request, response: { status: 200, ...response } }
}

test('a whole exchange is anonymized, first its request', () => {
  const anonymizer = new Anonymizer(['phx_known'], ['badge'])
  const exchange: Exchange = {
    ...exchangeOf(
      {
        headers: [
          ['X-Badge', 'of phx_known'],
          ['Badge', 'red-777'],
        ],
        body: { text: '{"email":"ada@corp.test"}' },
      },
      {
        headers: [['X-Note', 'red-777']],
        body: { text: '{"note":"bob@corp.test, ada@corp.test"}' },
      },
    ),
    url: 'https://ada:secret@a.test/of/ada@corp.test?token=canary-1&n=1#top',
    key: 'of ada@corp.test',
  }

  const { exchange: hidden, json } = anonymizer.exchange(exchange)

  expect(hidden).toEqual({
    ...exchange,
    url: 'https://a.test/of/replaced-email-1@example.com?token=replaced-secret-1&n=1',
    key: 'of replaced-email-1@example.com',
    request: {
      headers: [
        ['X-Badge', 'of replaced-key-1'],
        ['Badge', 'replaced-secret-2'],
      ],
      body: { text: '{"email":"replaced-email-1@example.com"}' },
    },
    response: {
      status: 200,
      headers: [['X-Note', 'replaced-secret-2']],
      body: { text: '{"note":"replaced-email-2@example.com, replaced-email-1@example.com"}' },
    },
  })
  expect(json).toEqual({
    value: { note: 'replaced-email-2@example.com, replaced-email-1@example.com' },
  })
  const aliases = ['replaced-email-1@example.com', 'replaced-email-2@example.com']
  expect(aliases.map((alias) => anonymizer.aliases.isFromResponse(alias))).toEqual([false, true])
})

test.each<readonly [string, Message, Message['body']]>([
  ['nothing', { headers: [], body: null }, null],
  ['a body that was not stored', { headers: [], body: { omitted: 5 } }, { omitted: 5 }],
  [
    'plain bytes',
    { headers: [], body: { base64: btoa('\xffplain') } },
    { base64: btoa('\xffplain') },
  ],
  [
    'bytes with a secret',
    { headers: [], body: { base64: btoa('\xffof ada@corp.test') } },
    { omitted: 17 },
  ],
  [
    'a form',
    { headers: form, body: { text: 'first_name=Ada&n=1' } },
    { text: 'first_name=replaced-name-1&n=1' },
  ],
  [
    'a text',
    { headers: [], body: { text: 'first_name=Ada n=1' } },
    { text: 'first_name=replaced-name-1 n=1' },
  ],
  ['JSON without secrets', { headers: [], body: { text: '{ "n": 1 }' } }, { text: '{ "n": 1 }' }],
])('%s of a request and of a response is shown without secrets', (_, message, body) => {
  const { exchange } = new Anonymizer().exchange(exchangeOf(message, message))

  expect([exchange.request.body, exchange.response.body]).toEqual([body, body])
})

test.each<readonly [string, Record<string, string>, Record<string, string>, string]>([
  [
    'a header of a key',
    { Authorization: 'Bearer canary-1' },
    { Authorization: 'Bearer replaced-key-1' },
    'replaced-key-1',
  ],
  [
    'a header of a secret',
    { 'X-Auth-Token': 'canary-1' },
    { 'X-Auth-Token': 'replaced-secret-1' },
    'replaced-secret-1',
  ],
  [
    'a cookie',
    { Cookie: 'theme=dark; id= canary-1 ' },
    { Cookie: 'replaced-secret-1' },
    'replaced-secret-2',
  ],
  [
    'a cookie of a response',
    { 'Set-Cookie': 'id=canary-1; Path=/canary-1' },
    { 'Set-Cookie': 'replaced-secret-1' },
    'replaced-secret-2',
  ],
])('the secret of %s is replaced from then on', (_, headers, shown, alias) => {
  const anonymizer = new Anonymizer()
  const message = { headers: Object.entries(headers), body: null }
  const { exchange } = anonymizer.exchange(exchangeOf(message))

  const { response } = anonymizer.exchange(
    exchangeOf({ headers: [], body: null }, { headers: [], body: { text: 'of canary-1' } }),
  ).exchange

  expect(exchange.request.headers).toEqual(Object.entries(shown))
  expect(response.body).toEqual({ text: `of ${alias}` })
})

test('names are replaced in their fields only, other secrets from the first field on', () => {
  const anonymizer = new Anonymizer()
  const row = {
    first_name: 'Launch',
    distinct_id: 'user-77',
    token: 'canary-1',
    note: 'Launch user-77 canary-1',
  }

  expect(anonymizer.change({ rows: { annotations: [{ ...row, order: 7 }] } } as never)).toEqual({
    rows: {
      annotations: [
        {
          first_name: 'replaced-name-1',
          distinct_id: 'replaced-person-1',
          token: 'replaced-secret-1',
          note: 'Launch replaced-person-1 replaced-secret-1',
          order: 7,
        },
      ],
    },
  })
  expect(anonymizer.aliases.isSentByClient('replaced-name-1', 'first_name')).toBe(true)
})

test.each([
  ['/a?token=canary-1', '/a?token=replaced-secret-1'],
  ['/a/%74oken%3Dcanary-1', '/a/%74oken%3Dreplaced-secret-1'],
  ['/a/canary-1', '/a/canary-1'],
])('the address %s is shown as %s', (url, shown) => {
  expect(new Anonymizer().url(url)).toBe(shown)
})

test('an address of a response teaches its secrets, and counts as sent', () => {
  const anonymizer = new Anonymizer()
  anonymizer.aliases.isInResponse = true

  const shown = ['/a?token=canary-1', '/a/canary-1'].map((url) => anonymizer.url(url))

  expect(shown).toEqual(['/a?token=replaced-secret-1', '/a/replaced-secret-1'])
  expect(anonymizer.aliases.isFromResponse('replaced-secret-1')).toBe(false)
})

test('nothing is replaced if everything is kept', () => {
  const exchange = exchangeOf(
    { headers: [['cookie', 'id=1']], body: { text: '{"email":"ada@corp.test"}' } },
    { headers: [], body: { text: '{"email":"ada@corp.test"}' } },
  )
  const change = { revoke: 'ada@corp.test' }

  expect(keepEverything.exchange(exchange)).toEqual({
    exchange,
    json: { value: { email: 'ada@corp.test' } },
  })
  expect(keepEverything.exchange(exchangeOf({ headers: [], body: null })).json).toBe(undefined)
  expect(keepEverything.url('/a?token=canary-1')).toBe('/a?token=canary-1')
  expect(keepEverything.change(change)).toBe(change)
})
