import { expect, test } from 'vitest'
import { parseJson } from '../../../../src/utils/python/parse-json.ts'
import { errorMessage } from './error-message.ts'
import { acceptedJson, refusedJson } from './parse-json.table.ts'

test('reads what Python reads', () => {
  expect(acceptedJson.map(([text]) => [text, parseJson(text)])).toEqual(acceptedJson)
})

test('refuses what Python refuses, in its words', () => {
  const answers = refusedJson.map(([text]) => [text, errorMessage(() => parseJson(text))])
  expect(answers).toEqual(refusedJson)
})

test('an emoji before the fault is one character, and only a line feed ends a line', () => {
  expect(errorMessage(() => parseJson('{"🦔🦔":\r\n"🦔" 1}'))).toBe(
    "Expecting ',' delimiter: line 2 column 5 (char 12)",
  )
})

test('NaN and its kind are refused by name, even where other faults follow', () => {
  expect(errorMessage(() => parseJson('{"order": [1, -Infinity, }'))).toBe(
    "Out of range float values are not JSON compliant: '-Infinity'",
  )
})

test('a key named __proto__ is a key like any other', () => {
  const value = parseJson('{"__proto__": {"admin": true}}') as object
  expect(Object.entries(value)).toEqual([['__proto__', { admin: true }]])
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
})

test('of a key given twice the last value counts', () => {
  expect(parseJson('{"scope": "project", "content": "", "scope": "organization"}')).toEqual({
    scope: 'organization',
    content: '',
  })
})

test('1,000 levels are read, and one more is what Python gives up on', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  const tooDeep = (container: string) =>
    `maximum recursion depth exceeded while decoding a JSON ${container} from a unicode string`

  expect(JSON.stringify(parseJson(nested(1000)))).toBe(nested(1000))
  expect(JSON.stringify(parseJson(objects(1000)))).toBe(objects(1000))
  expect(errorMessage(() => parseJson(nested(1001)))).toBe(tooDeep('array'))
  expect(errorMessage(() => parseJson(`["wide", 1, ${objects(1000)}]`))).toBe(tooDeep('object'))
  expect(errorMessage(() => parseJson(nested(1_000_000)))).toBe(tooDeep('array'))
})

test('100,000 brackets that nobody closed are a fault like any other', () => {
  expect(errorMessage(() => parseJson('['.repeat(100_000)))).toBe(
    'Expecting value: line 1 column 100001 (char 100000)',
  )
  expect(errorMessage(() => parseJson('{"a":'.repeat(100_000)))).toBe(
    'Expecting value: line 1 column 500001 (char 500000)',
  )
})

test('an integer of more than 4,300 digits is refused as Python refuses it', () => {
  expect(errorMessage(() => parseJson(`{"id": -${'7'.repeat(4301)}}`))).toBe(
    'Exceeds the limit (4300 digits) for integer string conversion: value has 4301 digits; ' +
      'use sys.set_int_max_str_digits() to increase the limit',
  )
})

test('as many digits are welcome in a text, a fraction, or one fewer in an integer', () => {
  const digits = '7'.repeat(4301)
  expect(parseJson(`["${digits}", 0.${digits}, 7e-${digits}]`)).toEqual([digits, 7 / 9, 0])
  expect(parseJson('7'.repeat(4300))).toBe(Number.POSITIVE_INFINITY)
  expect(errorMessage(() => parseJson(`[${'7'.repeat(4300)}`))).toBe(
    "Expecting ',' delimiter: line 1 column 4302 (char 4301)",
  )
})

test('many long runs of digits take no longer than their length', { timeout: 2000 }, () => {
  const text = `[${Array(1000).fill('7'.repeat(4300)).join()}]`
  expect(parseJson(text)).toHaveLength(1000)
})
