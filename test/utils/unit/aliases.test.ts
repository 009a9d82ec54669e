import { expect, test } from 'vitest'
import { diffWithMatchers, matchesAlias } from '../../../src/scenarios/format/matching.ts'
import { Aliases } from '../../../src/utils/redaction/aliases.ts'
import { isAlias } from '../../../src/utils/redaction/names.ts'
import { Redactor } from '../../../src/utils/redaction/redactor.ts'

test('an alias counts the values of its kind, and e-mail addresses without case', () => {
  const aliases = new Aliases()
  aliases.learn('person', '555-0123')
  aliases.learn('secret', 'short')
  const values = [
    ['email', 'a@b.test'],
    ['email', 'A@b.test'],
    ['email', 'c@b.test'],
    ['name', 'Ada'],
    ['name', 'ada'],
    ['key', 'Ada'],
    ['name', ''],
    ['secret', '555-0123'],
    ['name', 'replaced-email-7@example.com'],
    ['secret', 'replaced-key-7 and more'],
  ] as const

  expect(values.map(([kind, value]) => aliases.replace(value, kind))).toEqual([
    'replaced-email-1@example.com',
    'replaced-email-1@example.com',
    'replaced-email-2@example.com',
    'replaced-name-1',
    'replaced-name-2',
    'replaced-key-1',
    '',
    'replaced-person-1',
    'replaced-email-7@example.com',
    'replaced-secret-1',
  ])
  expect(new Redactor(aliases).text('a 555-0123, short, q=c+x%40b.test c+x@b.test')).toBe(
    'a replaced-person-1, short, q=replaced-email-3%40example.com replaced-email-3@example.com',
  )
})

test.each([
  ['replaced-key-1', true],
  ['replaced-email-12@example.com', true],
  ['replaced-email-1%40example.com', true],
  ['replaced-word-1', false],
  ['replaced-key-1 ', false],
])('%s is an alias: %s', (text, expected) => {
  expect(isAlias(text)).toBe(expected)
})

test.each([
  ['replaced-key-1', 'anything', true],
  ['replaced-key-1', '', false],
  ['of replaced-key-1.', 'of a, b.', true],
  ['of replaced-key-1.', 'of a', false],
  ['of replaced-key-1.', 'on a.', false],
  ['q=replaced-email-1%40example.com&t=replaced-key-2', 'q=a&t=b&t=c', true],
  ['replaced-key-1replaced-key-2', 'ab', true],
  ['replaced-key-1replaced-key-2', 'a', false],
  ['no alias', 'no alias', undefined],
  ['replaced-word-1', 'a', undefined],
  ['replaced-key-1', 7, true],
  ['replaced-key-1', null, false],
])('the recorded text %s matches %s: %s', (recorded, text, expected) => {
  expect(matchesAlias(recorded, text)).toBe(expected)
})

test.each<[path: readonly (string | number)[], recorded: number, value: unknown, isSame?: true]>([
  [['otp'], 100_000, 778_899, true],
  [['token', 'value'], 100, 5, true],
  [['price'], 100_000, 778_899],
  [['otp'], 778_899, 100_000],
  [['otp'], 100_000, '778899'],
])('the recorded number of %j, %i, may be %j: %s', (path, recorded, value, isSame) => {
  expect(matchesAlias(recorded, value, path)).toBe(isSame)
})

test('a number that a recording hides matches any number where it is replayed', () => {
  const aliases = new Aliases()
  const shown = new Redactor(aliases).json({ otp: 778_899, list: [{ pin: 1 }], size: 250 })

  expect(shown).toEqual({ otp: 100_000, list: [{ pin: 1 }], size: 250 })
  expect(diffWithMatchers(shown, { otp: 123_456, list: [{ pin: 1 }], size: 250 }, true)).toEqual([])
  expect(
    diffWithMatchers(shown, { otp: 123_456, list: [{ pin: 1 }], size: 251 }, true),
  ).toHaveLength(1)
})
