import { expect, test } from 'vitest'
import { fillProbe, type ServerIds } from '../../../src/compare/fill-probe.ts'
import { parseKeys } from '../../../src/compare/keys.ts'

test('the key that may do most is the first one', () => {
  const keys = parseKeys({
    ...{ none: 'k1', 'plugin:read': 'k2', 'annotation:read, plugin:write': 'k3' },
    ...{ old: 'k4', all: 'k5' },
  })

  expect(keys.map(({ value, scopes }) => [value, scopes])).toEqual([
    ['k5', ['*']],
    ['k4', null],
    ['k3', ['annotation:read', 'plugin:write']],
    ['k2', ['plugin:read']],
    ['k1', []],
  ])
})

test.each([
  [{ all: 'k' }, /all: expected a key of at least two characters/],
  [{ all: 'k k' }, /all: expected a key of at least two characters/],
  [{ 'plugin:read,plugin:all': 'k1' }, /Failed to read the label of a key/],
  [{}, /^Pass a key of the server with --key\.$/],
])('the keys %j are refused', (keys, message) => {
  expect(() => parseKeys(keys as Record<string, string>)).toThrow(message)
})

const ids: ServerIds = {
  ...{ project: '1', org: null, other: null, missing: '99', marker: 'k2j4' },
  keys: { all: 'phx_all', none: 'phx_none' },
}
const rows = new Map([['annotation', 'a/b']])

test('the ids, the marker and the key of a server are filled into a request', () => {
  const probe = {
    ...{
      key: 'wrong',
      method: 'PATCH',
      path: '/api/projects/:project/annotations/{annotation}/?a=#&b=#',
    },
    body: { content: '# and #', api: ':key', scope: 'tag' },
    stays: { scope: 'project', name: '#' },
  }

  expect(fillProbe(probe, ids, rows)).toEqual({
    method: 'PATCH',
    path: '/api/projects/1/annotations/a%2Fb/?a=k2j4&b=k2j4',
    headers: {
      accept: 'application/json',
      authorization: 'Bearer phx_understudy_wrong',
      'content-type': 'application/json',
    },
    body: '{"content":"k2j4 and k2j4","api":"phx_all","scope":"tag"}',
    values: { content: 'k2j4 and k2j4', api: 'phx_all', scope: 'project', name: 'k2j4' },
  })
})

test.each([
  ['of no organization', { key: 'all', path: '/api/organizations/:org/' }],
  ['of a row that was not made', { key: 'all', path: '/{plugin}/' }],
  ['of a key that was not passed', { key: 'old', path: '/' }],
])('a request %s is not sent', (_what, probe) => {
  expect(fillProbe({ method: 'GET', ...probe }, ids, rows)).toBe(null)
})

test('a body that is no JSON is sent as it is', () => {
  const probe = {
    key: null,
    method: 'POST',
    path: '/',
    raw: 'a=#',
    type: 'text/plain',
    body: { a: 1 },
  }

  const { body, headers } = fillProbe(probe, ids, rows) ?? {}

  expect([body, headers]).toEqual([
    'a=#',
    { accept: 'application/json', 'content-type': 'text/plain' },
  ])
})
