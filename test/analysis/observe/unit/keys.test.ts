import { expect, test } from 'vitest'
import { Keys, parseKeys, scopesOf } from '../../../../src/analysis/observe/keys.ts'
import type { Unclear } from '../../../../src/analysis/observe/requests.ts'
import { UsageError } from '../../../../src/utils/usage-error.ts'

/** The keys with these labels, whose values are the labels in capitals. */
const keysOf = (...labels: readonly string[]): Keys =>
  new Keys(parseKeys(Object.fromEntries(labels.map((label) => [label, label.toUpperCase()]))))

/** What a method of keys selects: a label, or why there is no key. */
function choose(select: (keys: Keys) => { label: string } | undefined, keys: Keys) {
  try {
    return select(keys)?.label
  } catch (error) {
    return (error as Unclear).reason
  }
}

test.each([
  ['all', ['*']],
  ['none', []],
  ['old', null],
  ['plugin:read', ['plugin:read']],
  [
    'annotation:read, project:write ,plugin:write',
    ['annotation:read', 'project:write', 'plugin:write'],
  ],
  ['plugin:read,all', undefined],
  ['plugin:admin', undefined],
  ['plugin:read,', undefined],
  ['a plugin:read', undefined],
  ['plugin:reads', undefined],
  ['action:read', undefined],
  ['', undefined],
])('the label "%s" says the scopes %j', (label, scopes) => {
  expect(scopesOf(label)).toEqual(scopes)
})

test('keys have the scopes of their labels, and other labels have none', () => {
  const keys = { all: 'ab', old: '!~', 'plugin:read': 'phx_1', writer: 'phx_2' }

  expect(parseKeys(keys, ['reader', 'writer'])).toEqual([
    { label: 'all', value: 'ab', scopes: ['*'] },
    { label: 'old', value: '!~', scopes: null },
    { label: 'plugin:read', value: 'phx_1', scopes: ['plugin:read'] },
    { label: 'writer', value: 'phx_2', scopes: [] },
  ])
})

test('every wrong key is named', () => {
  const keys = {
    all: 'a',
    none: 'a b',
    old: '\u00e9\u00e9',
    writer: ' ab',
    'plugin:read': 'ab\x7f',
  }
  const length = 'expected a key of at least two characters, without spaces'

  expect(() => parseKeys(keys, ['reader'])).toThrow(
    new UsageError('Failed to read the keys.', [
      `all: ${length}`,
      `none: ${length}`,
      `old: ${length}`,
      `writer: ${length}`,
      'Failed to read the label of a key: expected all, none (no scopes), old (issued before scopes existed), or scopes such as plugin:read or annotation:read,annotation:write, got "writer".',
      `plugin:read: ${length}`,
    ]),
  )
})

test('no key is no list of keys', () => {
  expect(() => parseKeys({})).toThrow(new UsageError('Pass a key of the server with --key.'))
})

test.each([
  [['old', 'plugin:read', 'all'], 'all'],
  [['old', 'annotation:read', 'plugin:write,plugin:read'], 'plugin:write,plugin:read'],
  [['none', 'plugin:write', 'old'], 'old'],
  [['none', 'plugin:write'], 'It needs a key with the scope plugin:read: --key plugin:read=KEY.'],
])('of the keys %j, the one that may read plugins is: %s', (labels, chosen) => {
  expect(choose((keys) => keys.for('plugin:read'), keysOf(...labels))).toBe(chosen)
})

test.each([
  [
    'plugin',
    ['all', 'old', 'none', 'annotation:read,plugin:write', 'annotation:read'],
    'annotation:read',
  ],
  [
    'plugin',
    ['all', 'project:write,annotation:read', 'annotation:read'],
    'project:write,annotation:read',
  ],
  ['annotation', ['annotation:write', 'plugin:write'], 'plugin:write'],
  ['project', ['project:read', 'plugin:read'], 'plugin:read'],
  [
    'plugin',
    ['all', 'old', 'none'],
    'It needs a key without scopes of plugins: --key annotation:read=KEY.',
  ],
  ['annotation', ['all'], 'It needs a key without scopes of annotations: --key plugin:read=KEY.'],
  ['project', ['all'], 'It needs a key without scopes of projects: --key annotation:read=KEY.'],
] as const)('a key that lacks the scopes of a %s, of the keys %j: %s', (object, labels, chosen) => {
  expect(choose((keys) => keys.lacking(object), keysOf(...labels))).toBe(chosen)
})

test.each([
  [
    ['all', 'annotation:read,annotation:write', 'plugin:write', 'annotation:write'],
    'annotation:write',
    'annotation',
  ],
  [['annotation:read,plugin:write'], 'annotation:read,plugin:write', 'plugin'],
])('of the keys %j, the one that may write and not read is %s', (labels, label, object) => {
  const keys = keysOf(...labels)

  expect(keys.writeOnly()).toEqual({ ...keys.find(label), object })
})

test('without a key that may write and not read, a sentence names two', () => {
  expect(choose((keys) => keys.writeOnly(), keysOf('all', 'old', 'none', 'plugin:read'))).toBe(
    'It needs a key that may write and not read: --key annotation:write=KEY or --key plugin:write=KEY.',
  )
})

test('a key is found by its whole label', () => {
  const keys = keysOf('all', 'plugin:read')

  expect([keys.find('all')?.value, keys.find('plugin')]).toEqual(['ALL', undefined])
  expect(keys.all.map(({ label }) => label)).toEqual(['all', 'plugin:read'])
})
