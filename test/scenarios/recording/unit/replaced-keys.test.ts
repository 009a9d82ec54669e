import { expect, test } from 'vitest'
import type { Exchange } from '../../../../src/index.ts'
import { UnknownKeys } from '../../../../src/scenarios/recording/unknown-keys.ts'
import { createExchange } from '../../../support/scenarios/exchanges.ts'

const known = 'phx_0123456789abcdef'
const labels = new Map<string, string | null>([
  [known, 'reader'],
  [`${known}-long`, null],
  ['mine', 'own'],
])

const form = [['content-type', 'application/x-www-form-urlencoded']] as const

const create = () => new UnknownKeys(() => labels, ['badge'])

/** The body of a request that contains a text. */
function shown(text: string, headers: Exchange['request']['headers'] = [], keys = create()) {
  const exchange = createExchange({ method: 'POST' })
  const { body } = keys.exchange({ ...exchange, request: { headers, body: { text } } }).exchange
    .request
  return (body as { text: string }).text
}

test.each([
  [known, known],
  [`${known}-long`, `${known}-long`],
  [`of ${known}.`, `of ${known}.`],
  [`${known}g`, 'phx_unknown_1________'],
  ['phx_fedcba9876543210', 'phx_unknown_1_______'],
  ['phx_fedcba987654321', 'phx_fedcba987654321'],
  ['phc_fedcba9876543210', 'phc_fedcba9876543210'],
  [
    'phx_fedcba9876543210 phx_0000000000000000 phx_fedcba9876543210',
    'phx_unknown_1_______ phx_unknown_2_______ phx_unknown_1_______',
  ],
  ['Bearer abcdefgh12', 'Bearer phx_unknow'],
  ['{"token":"abc","badge":"red"}', '{"token":"phx","badge":"phx"}'],
  ['{"token":"mine","badge":""}', '{"token":"mine","badge":""}'],
  ['{"key":"abc"}', '{"key":"abc"}'],
  ['ada@corp.test', 'ada@corp.test'],
])('the text %j of a request is shown as %j', (text, expected) => {
  expect(shown(text)).toBe(expected)
})

test('a form is read by its fields', () => {
  const text = 'badge=a%20b%20c&code=12345&note=badge%3Dabcdef'

  expect(shown(text, form)).toBe('badge=phx_u&code=phx_u&note=badge%3Dphx_un')
  expect(shown('code=12345')).toBe('code=12345')
})

test('of the values that a request replaced, only long ones are replaced in other texts', () => {
  const keys = create()
  const [long, short] = ['a-secret-of-16-c', 'a-secret-of-15c']
  const text = `${long} ${short}`
  const before = shown(text, [], keys)
  shown(`{"badge":"${long}","token":"${short}"}`, [], keys)
  const exchange = createExchange({ received: { note: text, token: short, badge: 'other' } })

  expect(before).toBe(text)
  expect(shown(text, [], keys)).toBe(`phx_unknown_1___ ${short}`)
  expect(keys.exchange(exchange).exchange.response.body).toEqual({
    text: `{"note":"phx_unknown_1___ ${short}","token":"phx_unknown_2__","badge":"other"}`,
  })
  expect(keys.change({ snapshot: `${text} other` })).toEqual({
    snapshot: `phx_unknown_1___ ${short} other`,
  })
})

test.each<readonly [string, string | undefined]>([
  [`Bearer ${known}`, 'reader'],
  ['Bearer mine', 'own'],
  [`Bearer ${known}-long`, undefined],
  ['Bearer other', undefined],
  [`bearer ${known}`, undefined],
  [`x Bearer ${known}`, undefined],
  [known, undefined],
])('a request with the authorization %j has the label %j', (authorization, label) => {
  const { exchange } = create().exchange(createExchange({ headers: { authorization } }))

  expect(exchange.key).toBe(label)
  expect('key' in exchange).toBe(label !== undefined)
})

test('headers without cookies, bytes and missing bodies are shown', () => {
  const secret = 'phx_fedcba9876543210'
  const request: Exchange['request'] = {
    headers: [
      ['Cookie', 'a=b'],
      ['X-Cookies', secret],
      ['X-Note', `of ${secret}`],
      ['Badge', 'red'],
    ],
    body: { base64: btoa(`\xff${secret}`) },
  }
  const response: Exchange['response'] = {
    status: 200,
    headers: [
      ['Set-Cookie', 'a=b'],
      ['X-Note', `of ${secret} and phx_0000000000000000`],
      ['Badge', 'red'],
      ['X-Token', 'other'],
    ],
    body: { omitted: 5 },
  }

  const { exchange, json } = create().exchange({ ...createExchange({}), request, response })

  expect(exchange.request).toEqual({
    headers: [
      ['X-Cookies', 'phx_unknown_1_______'],
      ['X-Note', 'of phx_unknown_1_______'],
      ['Badge', 'phx'],
    ],
    body: { base64: btoa('\xffphx_unknown_1_______') },
  })
  expect(exchange.response).toEqual({
    status: 200,
    headers: [
      ['X-Note', 'of phx_unknown_1_______ and phx_0000000000000000'],
      ['Badge', 'phx'],
      ['X-Token', 'other'],
    ],
    body: { omitted: 5 },
  })
  expect(json).toBe(undefined)
})

test('a key is replaced before the field that identifies it, also in the address', () => {
  const url = '/a/a-secret-of-16-c/?n=a-secret-of-16-c'
  const { exchange } = create().exchange(
    createExchange({ method: 'POST', url, sent: { badge: 'a-secret-of-16-c' } }),
  )

  expect(exchange.url).toBe('https://api.example.com/a/phx_unknown_1___/?n=phx_unknown_1___')
})
