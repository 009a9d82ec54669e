import { expect, test } from 'vitest'
import { UnknownKeys } from '../../../../src/scenarios/recording/unknown-keys.ts'
import { createExchange } from '../../../support/scenarios/exchanges.ts'

const known = 'phx_known_0123456789'
const foreign = 'phx_foreign_0123456789abcdef'
const replaced = 'phx_unknown_1_______________'

const createKeys = () => new UnknownKeys(() => new Map([[known, 'reader']]), ['badge'])

test('a key that the world has is named by its label, and stays', () => {
  const exchange = createExchange({ bearer: known, received: { key: known } })

  const { exchange: shown } = createKeys().exchange({ ...exchange, key: 'other' })

  expect(shown).toEqual({ ...exchange, key: 'reader' })
})

test('a key that the world does not have is replaced everywhere, by a text of its length', () => {
  const keys = createKeys()
  const exchange = createExchange({
    method: 'POST',
    url: `/api/projects/?personal_api_key=${foreign}`,
    bearer: foreign,
    sent: { note: `with ${foreign}`, known },
    received: { detail: `no ${foreign}` },
  })

  const { exchange: shown } = keys.exchange(exchange)

  expect(replaced).toHaveLength(foreign.length)
  expect(shown).toEqual(JSON.parse(JSON.stringify(exchange).replaceAll(foreign, replaced)))
  expect(keys.url(`/a?token=${foreign}`)).toBe(`/a?token=${replaced}`)
  expect(keys.change({ rows: { annotations: [{ content: foreign }] } } as never)).toEqual({
    rows: { annotations: [{ content: replaced }] },
  })
})

test('a secret field of a request is replaced, and that of a response only if a request had it', () => {
  const keys = createKeys()
  const first = keys.exchange(createExchange({ method: 'POST', received: { badge: 'red' } }))
  const second = keys.exchange(
    createExchange({ method: 'POST', sent: { badge: 'red' }, received: { badge: 'red' } }),
  )

  expect(first.exchange.response.body).toEqual({ text: '{"badge":"red"}' })
  expect(second.exchange.request.body).toEqual({ text: '{"badge":"phx"}' })
  expect(second.exchange.response.body).toEqual({ text: '{"badge":"phx"}' })
})

test('cookies are left out, bytes and missing bodies stay', () => {
  const exchange = createExchange({ headers: { cookie: 'a=b', 'x-a': 'b' } })
  const response = {
    status: 200,
    headers: [['Set-Cookie', 'a=b'] as const, ['x-c', 'd'] as const],
    body: { base64: btoa('plain') },
  }

  const { exchange: shown } = createKeys().exchange({ ...exchange, response })

  expect(shown.request).toEqual({ headers: [['x-a', 'b']], body: null })
  expect(shown.response).toEqual({ ...response, headers: [['x-c', 'd']] })
  expect('key' in shown).toBe(false)
})

test('without a key, changes stay as they are', () => {
  const change = { rows: { annotations: [{ content: foreign }] } } as never

  expect(createKeys().change(change)).toBe(change)
})
