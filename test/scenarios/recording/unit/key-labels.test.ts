import { expect, test } from 'vitest'
import type { Exchange } from '../../../../src/index.ts'
import { KeyLabeler } from '../../../../src/scenarios/recording/step-address.ts'
import { createExchange } from '../../../support/scenarios/exchanges.ts'

const field = 'personal_api_key'
const json = [['content-type', 'application/json']] as const
const form = [['content-type', 'application/x-www-form-urlencoded']] as const

const withBody = (headers: Exchange['request']['headers'], text: string): Exchange => ({
  ...createExchange({ method: 'POST' }),
  request: { headers, body: { text } },
})

test.each<readonly [string, Exchange, string | undefined]>([
  ['in a header', createExchange({ bearer: 'phx_mine' }), 'mine'],
  ['in a query', createExchange({ url: `/a?${field}=phx_mine` }), 'mine'],
  ['in JSON', withBody(json, `{"${field}":"phx_mine"}`), 'mine'],
  ['in JSON without a type', withBody([], `{"${field}":"phx_mine"}`), 'mine'],
  ['in a form', withBody(form, `a=b&${field}=phx_mine`), 'mine'],
  ['in a body that is no form', withBody([], `a=b&${field}=phx_mine`), undefined],
  ['in a body that is no JSON', withBody(json, `{"${field}":"phx_mine"`), undefined],
  ['nowhere', createExchange({}), undefined],
  ['in a header of another scheme', createExchange({ headers: { authorization: 'x' } }), undefined],
  [
    'in a query beside a header',
    createExchange({ url: `/a?${field}=phx_mine`, headers: { authorization: 'x' } }),
    undefined,
  ],
  [
    'in a query and a body',
    { ...withBody(json, `{"${field}":"phx_mine"}`), url: `http://a.test/?${field}=phx_other` },
    'mine',
  ],
  [
    'in bytes',
    {
      ...createExchange({ method: 'POST' }),
      request: { headers: json, body: { base64: btoa(`{"${field}":"phx_mine"}`) } },
    },
    undefined,
  ],
  ['and a label', { ...createExchange({ bearer: 'phx_mine' }), key: 'known' }, 'known'],
])('a request with a key %s has this label', (_, exchange, label) => {
  const labelled = new KeyLabeler({ mine: 'phx_mine' }).withLabel(exchange)

  expect(labelled.key).toBe(label)
  expect(labelled).toEqual({ ...exchange, ...(label !== undefined && { key: label }) })
  expect('key' in labelled).toBe(label !== undefined)
})

test('a request that says that it has no key keeps that, and one with an empty label gets another', () => {
  const labeler = new KeyLabeler({ mine: 'phx_mine' })

  expect([
    labeler.withLabel({ ...createExchange({}), key: null }).key,
    labeler.withLabel({ ...createExchange({ bearer: 'phx_mine' }), key: null }).key,
    labeler.withLabel({ ...createExchange({ bearer: 'phx_mine' }), key: '' }).key,
  ]).toEqual([null, 'mine', 'mine'])
})

test('each unknown key gets one new label, unless the service refused it', () => {
  const labeler = new KeyLabeler({ mine: 'phx_mine', 'key-2': 'phx_second' })
  const exchanges = [
    { bearer: 'phx_a', status: 401 },
    { bearer: 'phx_b', status: 403 },
    { bearer: 'phx_b' },
    { bearer: 'phx_b', status: 401 },
    { bearer: 'phx_c' },
    { bearer: 'phx_a' },
  ].map((input) => labeler.withLabel(createExchange(input)))

  expect(exchanges.map(({ key }) => key)).toEqual([
    undefined,
    'key-1',
    'key-1',
    'key-1',
    'key-3',
    'key-4',
  ])
  const labels = ['key-1', 'key-1', 'key-3', 'key-2', 'mine', null, undefined]
  expect(labels.flatMap((label, step) => labeler.warnAboutNewLabel(label, step))).toEqual([
    'steps[0] uses an unknown key: replay the scenario with --key key-1=VALUE.',
    'steps[2] uses an unknown key: replay the scenario with --key key-3=VALUE.',
  ])
})
