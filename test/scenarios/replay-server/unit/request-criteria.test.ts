import { expect, test } from 'vitest'
import type { ApiRequest } from '../../../../src/http/messages.ts'
import type { RequestStep } from '../../../../src/scenarios/format/scenario.ts'
import {
  diffRequest,
  type IncomingRequest,
  meetsCriteria,
  normalizeRequest,
  type RequestCriteria,
  toRequestCriteria,
} from '../../../../src/scenarios/replay-server/request.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { KeyRedactor } from '../../../../src/utils/redaction/mask.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** An incoming request, as it is compared. */
function normalize(target: string, request: Partial<ApiRequest> = {}, policies = {}) {
  const simulator = createSimulator({ policies })
  simulator.keys.issue({ label: 'issued', value: 'phx_issued' })
  const { header, base64, ...rest } = normalizeRequest(
    {
      method: 'GET',
      url: `http://localhost${target}`,
      target,
      query: target.split('?')[1] ?? '',
      headers: new Headers({ 'x-mark': 'seen' }),
      body: null,
      ...request,
    },
    target,
    simulator,
    new Map([['phx_known', 'known']]),
  )
  return { ...rest, header: header('X-Mark'), base64: base64() }
}

const plain = {
  method: 'GET',
  path: '/',
  query: [],
  key: null,
  header: 'seen',
  text: '',
  base64: '',
  body: undefined,
}

test.each([
  ['', '/', []],
  ['/', '/', []],
  ['/a/', '/a', []],
  ['/a//', '/a/', []],
  ['/a%20b/%c3%a4/?', '/a b/ä', []],
  ['/a%zz/', '/a%zz', []],
  [
    '/a?b=2&a=%20&b=1',
    '/a',
    [
      ['a', ' '],
      ['b', '2'],
      ['b', '1'],
    ],
  ],
  [
    '/a/?b=?&a',
    '/a',
    [
      ['a', ''],
      ['b', '?'],
    ],
  ],
])('the request to %j has the path %j and the query %j', (target, path, query) => {
  expect(normalize(target)).toEqual({ ...plain, path, query })
})

test.each([
  ['{"a": [1]}', { a: [1] }],
  ['"a"', 'a'],
  ['{"half', '{"half'],
])('the body %j is compared as %j', (text, body) => {
  const request = { method: 'POST', body: bytesOf(text) }

  expect(normalize('/', request)).toEqual({ ...plain, ...request, text, base64: btoa(text), body })
})

test('binary and missing bodies, and bodies that are too large, are compared, too', () => {
  const tooLarge = 'a body that is too large'

  expect(normalize('/', { body: Uint8Array.of(0xff, 0x61) })).toEqual({
    ...plain,
    text: '\uFFFDa',
    base64: '/2E=',
    body: '\uFFFDa',
  })
  expect(normalize('/', { body: new Uint8Array() })).toEqual(plain)
  expect(normalize('/', { body: { omitted: 9 } })).toEqual({
    ...plain,
    text: tooLarge,
    base64: btoa(tooLarge),
    body: tooLarge,
  })
})

test.each([
  ['Bearer phx_known', 'known'],
  ['Bearer phx_issued', 'issued'],
  ['Bearer phx_all', 'all'],
  ['Bearer phx_other', undefined],
  ['phx_known', null],
])('the key of the header %j is %j', (authorization, key) => {
  expect(normalize('/', { headers: new Headers({ authorization }) }).key).toBe(key)
})

test('a key in the body or the query is known where the service accepts it there', () => {
  const policies = { 'keys.places': 'header_body_query' }
  const headers = new Headers({ 'content-type': 'application/json' })
  const body = bytesOf('{"personal_api_key": "phx_known"}')

  expect(normalize('/', { headers, body }, policies).key).toBe('known')
  expect(normalize('/?personal_api_key=phx_known', {}, policies).key).toBe('known')
  expect(normalize('/?personal_api_key=phx_known').key).toBe(null)
})

const saved = new Map<string, unknown>([
  ['id', 5],
  ['next', 'HTTPS://api.example.com/base/api/a/?offset=1'],
  ['other', 'http://api.example.com/elsewhere'],
  ['origin', 'http://api.example.com?a=1'],
])
const get = (path: string, more: object = {}): RequestStep => ({ method: 'GET', path, ...more })
const criteria = {
  method: 'GET',
  path: '/',
  query: [],
  keys: [null],
  headers: {},
  body: { text: '' },
}

test.each<[RequestStep, Partial<RequestCriteria>]>([
  [get('/'), {}],
  [get('/a/{id}/'), { path: '/a/5' }],
  [
    get('/%61/?b=2&a=1', { query: { a: 0 } }),
    {
      path: '/a',
      query: [
        ['a', '1'],
        ['a', '0'],
        ['b', '2'],
      ],
    },
  ],
  [get('/a?b=?'), { path: '/a', query: [['b', '?']] }],
  [get('{next}'), { path: '/api/a', query: [['offset', '1']] }],
  [get('{other}'), { path: '/elsewhere' }],
  [get('{origin}'), { path: '/', query: [['a', '1']] }],
  [get('/', { as: 'all' }), { keys: ['all'] }],
  [get('/', { as: 'key-1' }), { keys: [undefined, 'key-1'] }],
  [
    get('/?personal_api_key=replaced-key-1'),
    { query: [['personal_api_key', 'replaced-key-1']], keys: [undefined, null] },
  ],
  [
    get('/', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      text: 'personal_api_key=replaced-key-1',
    }),
    {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: { text: 'personal_api_key=replaced-key-1', isForm: true },
      keys: [undefined, null],
    },
  ],
  [
    get('/', { headers: { Authorization: 'Bearer {id}', 'X-Id': '{id}' } }),
    { keys: null, headers: { authorization: 'Bearer 5', 'x-id': '5' } },
  ],
  [get('/', { body: { a: { $saved: 'id' } } }), { body: { value: { a: 5 } } }],
  [get('/', { body: null }), { body: { value: null } }],
  [get('/', { text: { $text: 'No. {id}' } }), { body: { text: 'No. 5' } }],
  [get('/', { base64: '' }), { body: { base64: '' } }],
])('the recorded request %j', (step, expected) => {
  expect(toRequestCriteria(step, saved, '/base', new Set(['key-1']))).toEqual({
    ...criteria,
    ...expected,
  })
})

const incoming: IncomingRequest = {
  method: 'GET',
  path: '/',
  query: [],
  key: null,
  keyValue: undefined,
  header: () => null,
  text: '',
  base64: () => '',
  body: undefined,
}
const json = (body: unknown) => ({ body, text: JSON.stringify(body) })

test.each<[Partial<RequestCriteria>, Partial<IncomingRequest>, string[]]>([
  [{}, { method: 'POST' }, ['method: expected GET, got POST']],
  [{ path: '/a' }, { path: '/phx_secret' }, ['path: expected /a, got /phx_…']],
  [{ query: [['a', '1']] }, {}, ['query.a: expected "1", got nothing']],
  [
    {
      query: [
        ['a', '1'],
        ['a', '2'],
        ['b', ''],
      ],
    },
    {
      query: [
        ['a', '2'],
        ['b', ''],
        ['c', '3'],
        ['c', '4'],
      ],
    },
    ['query.a: expected ["1","2"], got "2"', 'query.c: expected nothing, got ["3","4"]'],
  ],
  [{ keys: ['all'] }, { key: undefined }, ['key: expected all, got an unknown key']],
  [{}, { key: 'all' }, ['key: expected no key, got all']],
  [{ keys: null }, { key: 'all' }, []],
  [{ keys: [undefined] }, { key: 'all' }, ['key: expected an unknown key, got all']],
  [{ path: '/a/replaced-key-1' }, { path: '/a/b/c' }, []],
  [{ query: [['a', 'of replaced-key-1']] }, { query: [['a', 'of it']] }, []],
  [
    { query: [['a', 'of replaced-key-1']] },
    { query: [['a', 'of ']] },
    ['query.a: expected "of replaced-key-1", got "of "'],
  ],
  [{ body: { value: { a: 'replaced-key-1' } } }, json({ a: [1] }), []],
  [
    { body: { value: { a: 'replaced-key-1' } } },
    json({}),
    ['body.a: expected "replaced-key-1", got nothing'],
  ],
  [
    { headers: { a: '1', b: '2', c: '3' } },
    { header: (name) => ({ b: '2', c: '4' })[name] ?? null },
    ['headers.a: expected "1", got nothing', 'headers.c: expected "3", got "4"'],
  ],
  [{ headers: { a: '1' } }, { header: (name) => (name === 'a' ? '1' : null) }, []],
  [{ body: { base64: 'YQ==' } }, { base64: () => 'YQ==', text: 'b' }, []],
  [{ body: { base64: 'YQ==' } }, { base64: () => 'Yg==' }, ['body: expected other bytes']],
  [{ body: { text: 'a' } }, {}, ['body: expected "a", got nothing']],
  [{}, { text: 'a' }, ['body: expected nothing, got "a"']],
  [
    { body: { text: '{"a":1}' } },
    { text: '{"a": 1}' },
    ['body: expected "{\\"a\\":1}", got "{\\"a\\": 1}"'],
  ],
  [{ body: { value: { a: 1, b: [1] } } }, json({ b: [1], a: 1 }), []],
  [
    { body: { value: { a: 1, b: [1], c: 2 } } },
    json({ a: 2, b: [1, 3], d: 4 }),
    [
      'body.a: expected 1, got 2',
      'body.b: expected 1 item, got 2 items, [1] is 3',
      'body.c: expected 2, got nothing',
      'body.d: expected nothing, got 4',
    ],
  ],
  [{ body: { value: null } }, {}, ['body: expected null, got nothing']],
])('recorded %j, and got %j', (recorded, got, lines) => {
  const redactor = new KeyRedactor(['phx_secret'], [])
  const [one, other] = [
    { ...criteria, ...recorded },
    { ...incoming, ...got },
  ]

  expect(diffRequest(one, other).map((line) => line(redactor))).toEqual(lines)
  expect(meetsCriteria(one, other)).toBe(lines.length === 0)
})
