import { expect, test } from 'vitest'
import { type RequestStep, recordingOf } from '../../../src/index.ts'
import { createExchange, exampleOrigin, recordSteps } from '../../support/scenarios/exchanges.ts'

const [uuid, other] = ['a', 'b'].map((end) => `018f2b6e-0000-7000-8000-00000000000${end}`)
const list = '/api/projects/1/annotations/'
const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }

const page = {
  results: [{ id: 12, short_id: 'a&b', uuid, next: `${exampleOrigin}${list}?offset=1` }],
}

interface Request {
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly text?: string
}

type Sent = Partial<Pick<RequestStep, 'path' | 'query' | 'headers' | 'body' | 'text'>>

/** What the request after a page of rows sends. */
function sentAfterPage({ url = '/api/other/', headers = {}, text = '' }: Request): Sent {
  const request = { headers: Object.entries(headers), body: text === '' ? null : { text } }
  const { scenario } = recordingOf([
    createExchange({ url: list, received: page }),
    { ...createExchange({ method: 'POST', url }), request },
  ])
  const { title: _, method: __, expect: ___, ...sent } = scenario.steps[1] as RequestStep
  return sent
}

const json = { 'content-type': 'application/json' }
const plain = { 'content-type': 'text/plain' }

test.each<readonly [string, Request, Sent]>([
  ['a path', { url: `${list}12/` }, { path: `${list}{annotation_id}/` }],
  ['a path of another kind', { url: '/api/plugins/12/' }, { path: '/api/plugins/12/' }],
  ['a link', { url: `${list}?offset=1` }, { path: '{next}' }],
  [
    'a query',
    { url: `/api/other/?annotation_id=12&id=12&search=of+${uuid}&limit=12` },
    {
      path: '/api/other/',
      query: {
        annotation_id: '{annotation_id}',
        id: 12,
        search: 'of {annotation_id_2}',
        limit: 12,
      },
    },
  ],
  [
    'headers',
    { headers: { 'x-of': `of ${uuid}`, 'x-id': '12' } },
    { path: '/api/other/', headers: { 'x-of': 'of {annotation_id}', 'x-id': '12' } },
  ],
  [
    'a JSON body',
    {
      headers: json,
      text: JSON.stringify({
        annotation_id: 12,
        texts: [`of ${uuid} and {x}`, uuid, 'in {x}', '12'],
        count: 12,
        annotations: [{ id: '12' }],
      }),
    },
    {
      path: '/api/other/',
      body: {
        annotation_id: { $saved: 'annotation_id' },
        texts: [
          { $text: 'of {annotation_id_2} and {{x}}' },
          { $saved: 'annotation_id_2' },
          'in {x}',
          '12',
        ],
        count: 12,
        annotations: [{ id: { $saved: 'annotation_id' } }],
      },
    },
  ],
  [
    'a text',
    { headers: plain, text: `annotation_id=12 of {x}, ${uuid}` },
    {
      path: '/api/other/',
      headers: plain,
      text: { $text: 'annotation_id=12 of {{x}}, {annotation_id}' },
    },
  ],
  [
    'a form',
    { headers: form, text: `annotation_id=12&a={x}&uuid=${uuid}&annotation_id=%31%32` },
    {
      path: '/api/other/',
      headers: form,
      text: {
        $text:
          'annotation_id={annotation_id}&a={{x}}&uuid={annotation_id_2}&annotation_id={annotation_id}',
      },
    },
  ],
  [
    'a form without ids',
    { headers: form, text: 'annotation_id=x12&&annotation_id=12x&12&annotation_id=a%26b' },
    {
      path: '/api/other/',
      headers: form,
      text: 'annotation_id=x12&&annotation_id=12x&12&annotation_id=a%26b',
    },
  ],
])(
  '%s of a request names the ids of an earlier response, and nothing else',
  (_, sent, expected) => {
    expect(sentAfterPage(sent)).toEqual(expected)
  },
)

test.each<readonly [string, unknown, unknown]>([
  ['a saved id', { id: 12 }, { id: { $saved: 'annotation_id' } }],
  ['an id that the client introduced', { id: 13 }, { id: 13 }],
  ['another id', { id: 14 }, { id: { $match: 'id' } }],
  ['a number', { count: 12, rate: 0.5 }, { count: 12, rate: 0.5 }],
  ['the id of another kind', { author_id: 12 }, { author_id: { $match: 'id' } }],
  ['another UUID', { organization: uuid }, { organization: { $match: 'uuid' } }],
  ['a UUID that the client introduced', { organization: other }, { organization: other }],
  ['an id in letters', { short_id: 'abc' }, { short_id: { $match: 'text' } }],
  ['a time', { at: '2024-06-15T12:00:01Z' }, { at: { $match: 'time' } }],
  ['a time of the client', { at: '2024-06-15T12:00:00.0Z' }, { at: '2024-06-15T12:00:00.0Z' }],
  ['a secret', { token: 'canary' }, { token: { $match: 'text' } }],
  [
    'a text of the client',
    { content: 'ada@corp.test' },
    { content: 'replaced-email-1@example.com' },
  ],
  ['a person of the service', { email: 'ada@corp.test' }, { email: { $match: 'text' } }],
  [
    'a text with an address of the service',
    { note: '(bob@corp.test)\nof ada@corp.test' },
    { note: { $match: 'text' } },
  ],
  [
    'links',
    { note: `See {x} ${exampleOrigin}${list}12/?a={y} and ${exampleOrigin}/annotations/13` },
    {
      note: {
        $text: `See {{x}} {base_url}${list}{annotation_id}/?a={{y}} and {base_url}/annotations/13`,
      },
    },
  ],
  ['the base URL alone', { note: `See ${exampleOrigin}` }, { note: `See ${exampleOrigin}` }],
  ['other values', { a: null, b: true, c: 'x' }, { a: null, b: true, c: 'x' }],
])('%s of a response is expected as in each replay', (_, received, expected) => {
  const steps = recordSteps([
    { received: [{ id: 12 }] },
    {
      method: 'POST',
      url: `${list}13/?from=${other}&after=2024-06-15T12:00:00Z&annotation_id=12`,
      sent: { content: 'ada@corp.test' },
    },
    { received },
  ])

  expect(steps[2]?.expect?.exact_body).toEqual(expected)
})

test.each([
  ['/api/organizations/', { id: uuid, members: [{ id: 5 }] }, `/api/members/5/`, 'member_id'],
  ['/api/repositories/', [{ id: 3 }], '/api/repositories/3/', 'repository_id'],
  ['/api/status/', { id: 3 }, '/api/status/3/', 'status_id'],
  ['/api/address/', { id: 3 }, '/api/address/3/', 'address_id'],
  ['/api/plugins/', { data: { items: [{ id: 4 }] } }, '/api/plugins/4/', 'plugin_id'],
  ['/api/a/', { 'user~/s': [{ id: 4 }] }, '/api/user__s/4/', 'user___id'],
])('the id of a response to %s gets a name from its path or field', (url, received, next, name) => {
  const [first, second] = recordSteps([{ url, received }, { url: next }])

  const pointer = { member_id: '/members/0/id', user___id: '/user~0~1s/0/id' }[name]
  expect(first?.save).toEqual({ [name]: pointer ?? expect.stringMatching(/\/id$/) })
  expect(second?.path).toContain(`{${name}}`)
})

test.each(['upgrade', 'check_for_updates'])(
  'the response to %s has the id of its row',
  (action) => {
    const plugins = '/api/organizations/1/plugins/'

    const steps = recordSteps([
      { url: plugins, received: [{ id: 12 }] },
      { method: 'POST', url: `${plugins}12/${action}/`, received: { id: 12 } },
    ])

    expect(steps[1]).toMatchObject({
      path: `${plugins}{plugin_id}/${action}/`,
      expect: { exact_body: { id: { $saved: 'plugin_id' } } },
    })
  },
)

test('a request that uses an id changes the earlier steps that contain it', () => {
  const steps = recordSteps([
    { url: list, received: [{ id: 11 }, { id: 12 }] },
    {
      url: list,
      received: {
        one: `${exampleOrigin}${list}12/?a`,
        two: `${exampleOrigin}${list}12/?b`,
      },
    },
    { url: '/api/other/', received: {} },
    { url: `${list}12/`, received: { id: 12 } },
    { url: `${list}12/` },
  ])

  expect(
    steps.map(({ path, save, expect: expected }) => [path, save, expected?.exact_body]),
  ).toEqual([
    [list, { annotation_id: '/1/id' }, [{ id: { $match: 'id' } }, { id: { $match: 'id' } }]],
    [
      list,
      undefined,
      {
        one: { $text: `{base_url}${list}{annotation_id}/?a` },
        two: { $text: `{base_url}${list}{annotation_id}/?b` },
      },
    ],
    ['/api/other/', undefined, {}],
    [`${list}{annotation_id}/`, undefined, { id: { $saved: 'annotation_id' } }],
    [`${list}{annotation_id}/`, undefined, undefined],
  ])
})

test('a person who occurred before is written once, unless an expected field says who it is', () => {
  const ada = { id: 5, email: 'ada@corp.test', active: true }
  const named = { ...ada, role: 'admin' }
  const steps = recordSteps([{ received: [ada, ada, named] }, { received: { by: ada, of: named } }])

  const matched = { id: { $match: 'id' }, email: { $match: 'text' }, active: true }
  expect(steps.map((step) => step.expect?.exact_body)).toEqual([
    [matched, { $match: 'object' }, { ...matched, role: 'admin' }],
    { by: { $match: 'object' }, of: { ...matched, role: 'admin' } },
  ])
})

test('a page that the client requested by itself is no link of a later page, one that only a page names is', () => {
  const [first, second] = [`${list}?limit=1`, `${list}?limit=1&offset=1`]
  const link = (url: string) => `${exampleOrigin}${url}`
  const exchanges = [
    createExchange({ url: first, received: { previous: null, next: link(second) } }),
    createExchange({ url: second, received: { previous: link(first), next: null } }),
    createExchange({ url: first, received: { previous: null, next: link(second) } }),
    createExchange({ url: second, received: { previous: link(first), next: null } }),
  ]
  const { scenario } = recordingOf(exchanges)

  const sent = scenario.steps.map((step) => {
    const { path, query } = step as RequestStep
    return { path, query }
  })
  const firstPage = { path: list, query: { limit: 1 } }
  expect(sent).toEqual([firstPage, { path: '{next}' }, firstPage, { path: '{next}' }])
})
