import { expect, test } from 'vitest'
import {
  type AliasOrigins,
  collectIds,
  findOrigin,
  generalizeResponse,
  isUnrepeatable,
  openAliases,
  type ResponseContext,
} from '../../../../src/scenarios/recording/generalize-response.ts'
import { IdRegistry } from '../../../../src/scenarios/recording/id-registry.ts'

const baseUrl = 'https://api.example.com'
const uuid = '018f2b6e-0000-7000-8000-00000000000a'
const other = '018f2b6e-0000-7000-8000-00000000000b'

/** The aliases of e-mail addresses come from responses. The client sent two aliases as the content of a row. */
const aliases: AliasOrigins = {
  isFromResponse: (alias) => alias.startsWith('replaced-email'),
  isSentByClient: (alias, field) => /key-1|email-2/.test(alias) && field === 'content',
}

/** The context of the second step. The first one saves annotation 12, and sent annotation 13, a UUID and a time. */
function createContext(): ResponseContext {
  const registry = new IdRegistry((key) => ({ pointer: '/id', name: key, type: 'number' }))
  registry.addFromResponse('annotation 12', 0)
  registry.addFromResponse('annotation 14', 0)
  registry.addFromResponse(`link /api/annotations/?offset=1`, 0)
  registry.useInRequest('annotation 13', 0)
  registry.useInRequest(`text ${other}`, 0)
  registry.useInRequest('annotation 12', 1)
  registry.useInRequest('link /api/annotations/?offset=1', 1)
  registry.addSentTimes([Date.parse('2024-06-15T12:00:00Z')], 0)
  return { kinds: { kind: 'annotation' }, baseUrl, registry, step: 1, aliases }
}

test.each<readonly [string, object, object]>([
  ['a saved id', { id: 12 }, { id: { $saved: 'annotation_12' } }],
  ['an id that a request introduced', { id: 13 }, { id: 13 }],
  ['another id', { id: 14 }, { id: { $match: 'id' } }],
  ['a number', { count: 12 }, { count: 12 }],
  ['another UUID', { organization: uuid }, { organization: { $match: 'uuid' } }],
  ['a UUID that a request introduced', { organization: other }, { organization: other }],
  ['an id in letters', { short_id: 'abc' }, { short_id: { $match: 'text' } }],
  ['a time', { at: '2024-06-15T12:00:01Z' }, { at: { $match: 'time' } }],
  [
    'a time that a request sent',
    { at: '2024-06-15T12:00:00.0Z' },
    { at: '2024-06-15T12:00:00.0Z' },
  ],
  ['an alias', { token: 'replaced-key-1' }, { token: { $match: 'text' } }],
  [
    'an alias of the service that the client sent later',
    { content: 'replaced-email-2@example.com' },
    { content: { $match: 'text' } },
  ],
  ['an alias that the client sent', { content: 'replaced-key-1' }, { content: 'replaced-key-1' }],
  [
    'a text with an alias of the service',
    { content: '(replaced-email-1@example.com)\nreplaced-key-1.' },
    { content: { $pattern: '^\\(.+\\)\\nreplaced-key-1\\.$' } },
  ],
  [
    'a text with an alias of the client',
    { note: 'of replaced-key-1' },
    { note: 'of replaced-key-1' },
  ],
  [
    'a link with an alias of the service',
    { next: `${baseUrl}/a/?q=replaced-email-1%40example.com` },
    { next: { $pattern: '^https?:\\/\\/.+\\/a\\/\\?q=.+$' } },
  ],
  [
    'links',
    { note: `See {x} ${baseUrl}/api/annotations/12/?a={y} and ${baseUrl}/annotations/13` },
    {
      note: {
        $text:
          'See {{x}} {base_url}/api/annotations/{annotation_12}/?a={{y}} and {base_url}/annotations/13',
      },
    },
  ],
  ['a base URL alone', { note: `See ${baseUrl}` }, { note: `See ${baseUrl}` }],
  [
    'a link that was followed',
    { next: `${baseUrl}/api/annotations/?offset=1` },
    { next: { $saved: 'link__api_annotations__offset_1' } },
  ],
  ['other values', { a: null, b: true, c: 'x' }, { a: null, b: true, c: 'x' }],
])('%s in a body is expected as in each replay', (_, body, expected) => {
  const seen: unknown[] = []

  const response = generalizeResponse(
    { status: 200, exact_body: body },
    createContext(),
    (leaf, id) => seen.push([leaf, id?.key]),
  )

  expect(response).toEqual({ status: 200, exact_body: expected })
  expect(seen).toHaveLength(
    Object.values(body).filter((leaf) => /string|number/.test(typeof leaf)).length,
  )
})

test('links in headers use the base URL, and other headers and bodies stay', () => {
  const headers = { location: `${baseUrl}/annotations/12/`, allow: 'GET', etag: null }

  expect([
    generalizeResponse({ status: 201, headers, text: 'of replaced-key-1' }, createContext()),
    generalizeResponse({ status: 200, text: 'of replaced-email-1@example.com' }, createContext()),
    generalizeResponse({ exact_body: undefined }, createContext()),
    generalizeResponse({ base64: 'AAAA' }, createContext()),
  ]).toEqual([
    {
      status: 201,
      headers: {
        location: { $text: '{base_url}/annotations/{annotation_12}/' },
        allow: 'GET',
        etag: null,
      },
      text: 'of replaced-key-1',
    },
    { status: 200 },
    { exact_body: undefined },
    { base64: 'AAAA' },
  ])
})

test('a text is unrepeatable if it has an alias of the service', () => {
  const texts = ['plain', 'replaced-word', 'of replaced-key-1', 'a replaced-email-1@example.com']

  expect(texts.map((text) => isUnrepeatable(text, aliases))).toEqual([false, false, false, true])
  expect(texts.map(($text) => isUnrepeatable({ $text }, aliases))).toEqual([
    false,
    false,
    false,
    true,
  ])
})

test('hidden values of a response become matchers', () => {
  const body = [
    'replaced-key-1',
    'of replaced-key-1',
    'of replaced-email-1@example.com',
    'a',
    5,
    null,
  ]

  expect(openAliases(body, aliases, baseUrl)).toEqual([
    { $match: 'text' },
    'of replaced-key-1',
    { $pattern: '^of .+$' },
    'a',
    5,
    null,
  ])
})

test('the ids of a response are known, also those in its links, except those of a request', () => {
  const { registry, ...context } = createContext()
  const links = { next: `${baseUrl}/projects/5/annotations/14/`, from: `of ${baseUrl}/projects/6/` }
  const email = 'replaced-email-1@example.com'
  const body = { rows: [{ id: 21 }, { id: 12 }], links, email, key: 'replaced-key-1', at: 'x' }

  collectIds(body, { ...context, registry, step: 2 })

  const isKnown = ['row 21', 'row 12', `link ${links.next.slice(baseUrl.length)}`, `text ${email}`]
  const isUnknown = ['text replaced-key-1', 'project 5', 'project 6', 'link ']
  expect(isKnown.map((key) => registry.isKnown(key))).toEqual([true, true, true, true])
  expect(isUnknown.map((key) => registry.isKnown(key))).toEqual([false, false, false, false])
  registry.takeChanged()
  registry.useInRequest('annotation 14', 3)
  expect([...registry.takeChanged()]).toEqual([0, 2])
})

test('the first place of a value in a response is its origin', () => {
  const context = createContext()
  const body = {
    results: [{ id: 5 }, { id: 6 }],
    rows: { annotation_id: 6 },
    email: 'replaced-key-1',
  }

  expect(findOrigin(body, 'annotation 6', context)).toEqual({
    pointer: '/results/1/id',
    name: 'annotation_id',
    type: 'number',
  })
  expect(() => findOrigin(body, 'annotation 7', context)).toThrow(
    'Failed to find annotation 7: the response does not contain it.',
  )
  expect(() => findOrigin(body, 'text replaced-key-1', context)).toThrow('Failed to find')
})
