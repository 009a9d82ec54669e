import { expect, test } from 'vitest'
import {
  guessBaseUrl,
  toExactAddress,
  toStepAddress,
  withoutKeyParameter,
} from '../../../../src/scenarios/recording/step-address.ts'

const baseUrl = 'https://api.example.com/v1'

test.each([
  ['/api/a/', { path: '/api/a/' }],
  ['', { path: '/' }],
  ['/api/a/#top', { path: '/api/a/' }],
  ['/api/{a}/', { path: '/api/{{a}}/' }],
  ['?limit=1', { path: '/', query: { limit: 1 } }],
  ['/a?', { path: '/a?' }],
  ['/a?limit=10&offset=0', { path: '/a', query: { limit: 10, offset: 0 } }],
  ['/a?limit=007', { path: '/a', query: { limit: '007' } }],
  ['/a?limit=-1', { path: '/a', query: { limit: '-1' } }],
  ['/a?id=9007199254740993', { path: '/a', query: { id: '9007199254740993' } }],
  ['/a?search={x}', { path: '/a', query: { search: '{{x}}' } }],
  ['/a?search=%7Bx%7D', { path: '/a', query: { search: '{{x}}' } }],
  ['/a?{x}=1', { path: '/a?{{x}}=1' }],
  ['/a?a=1&{x}=1', { path: '/a?a=1&{{x}}=1' }],
  ['/a?search=a+b', { path: '/a', query: { search: 'a b' } }],
  ['/a?search=a%20b', { path: '/a', query: { search: 'a b' } }],
  ['/a?b=1&b=2', { path: '/a?b=1&b=2' }],
  ['/a?b', { path: '/a?b' }],
  ['/a?b=%zz', { path: '/a?b=%zz' }],
  ['/a?b=1?2', { path: '/a', query: { b: '1?2' } }],
])('the address %s below the base URL becomes %o', (address, expected) => {
  expect(toStepAddress(baseUrl + address, baseUrl)).toEqual(expected)
})

test('an address that only begins like the base URL is not below it', () => {
  expect(toStepAddress('https://api.example.com/v10/a', baseUrl)).toBeNull()
  expect(toStepAddress('https://api.example.com/', baseUrl)).toBeNull()
})

test.each([
  ['/a/?b=1&b=2', { path: '/a/?b=1&b=2' }],
  ['/{a}/', null],
  ['/%7Ba%7D/', { path: '/%7Ba%7D/' }],
  ['/a/../b', null],
  ['/a?b={c}', { path: '/a?b={{c}}' }],
  ['a', null],
  ['/a b', null],
  ['/a#b', null],
  ['/é', null],
])('the exact address of %s is %o: null if fetch would change it', (target, expected) => {
  expect(toExactAddress(target)).toEqual(expected)
})

const form = [['content-type', 'application/x-www-form-urlencoded']] as const
const json = [['content-type', 'application/json']] as const
const key = 'personal_api_key'

test.each([
  [
    'a query',
    { path: '/a', query: { [key]: 'x', limit: 1 } },
    [],
    null,
    { path: '/a', query: { limit: 1 } },
    null,
  ],
  [
    'a query of the key only',
    { path: '/a', query: { [key]: 'x' } },
    [],
    null,
    { path: '/a' },
    null,
  ],
  ['no query', { path: '/a' }, [], null, { path: '/a' }, null],
  [
    'a form',
    { path: '/a' },
    form,
    { text: `a=1&${key}=x&b=2` },
    { path: '/a' },
    { text: 'a=1&b=2' },
  ],
  [
    'a form of another field',
    { path: '/a' },
    form,
    { text: 'a=1' },
    { path: '/a' },
    { text: 'a=1' },
  ],
  [
    'JSON',
    { path: '/a' },
    json,
    { text: `{"a":1,"${key}":"x"}` },
    { path: '/a' },
    { text: '{"a":1}' },
  ],
  [
    'JSON of another field',
    { path: '/a' },
    json,
    { text: '{ "a": 1 }' },
    { path: '/a' },
    { text: '{ "a": 1 }' },
  ],
  ['a JSON list', { path: '/a' }, json, { text: '[1]' }, { path: '/a' }, { text: '[1]' }],
  ['a text', { path: '/a' }, [], { text: 'a' }, { path: '/a' }, { text: 'a' }],
  ['bytes', { path: '/a' }, [], { base64: 'AAAA' }, { path: '/a' }, { base64: 'AAAA' }],
] as const)('the key is removed from %s', (_, address, headers, body, shownAddress, shownBody) => {
  expect(withoutKeyParameter(address, { headers, body })).toEqual({
    address: shownAddress,
    body: shownBody,
  })
})

test.each([
  ['https://a.test/api/projects/', 'https://a.test'],
  ['https://a.test/api', 'https://a.test'],
  ['https://a.test/v1/api/projects/?next=/api/', 'https://a.test/v1'],
  ['https://a.test/apis/?b=/api/#/api/', 'https://a.test'],
  ['https://a.test/x#/api/', 'https://a.test'],
  ['http://api/x/api/', 'http://api/x'],
  ['https://a.test', 'https://a.test'],
  ['/v1/api/projects/', '/v1'],
  ['/v1/projects/', ''],
])('the base URL of %s is %s', (url, expected) => {
  expect(guessBaseUrl(url)).toBe(expected)
})
