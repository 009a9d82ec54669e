import { expect, test } from 'vitest'
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
