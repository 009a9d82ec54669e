import { expect, test } from 'vitest'
import { parseJson } from '../../../../src/utils/python/parse-json.ts'
import { milliseconds } from '../../../support/milliseconds.ts'
import { errorMessage } from './error-message.ts'
import { invalidJson, validJson } from './parse-json.table.ts'

const parsedValue = (text: string) => parseJson(text).value

test('parses the JSON that Python parses', () => {
  expect(validJson.map(([text]) => [text, parsedValue(text)])).toEqual(validJson)
})

test('rejects the JSON that Python rejects, with the same message', () => {
  const messages = invalidJson.map(([text]) => [text, errorMessage(() => parseJson(text))])
  expect(messages).toEqual(invalidJson)
})

test('an emoji before the error counts as one character, and only a line feed ends a line', () => {
  expect(errorMessage(() => parseJson('{"🦔🦔":\r\n"🦔" 1}'))).toBe(
    "Expecting ',' delimiter: line 2 column 5 (char 12)",
  )
})

test('rejects NaN and the infinities by name, even if other errors follow', () => {
  expect(errorMessage(() => parseJson('{"order": [1, -Infinity, }'))).toBe(
    "Out of range float values are not JSON compliant: '-Infinity'",
  )
})

test('the sign of an infinity stays where the constants are accepted', () => {
  const { value } = parseJson('{"low": [-Infinity], "high": Infinity}', () => {})

  expect(value).toEqual({ low: [Number.NEGATIVE_INFINITY], high: Number.POSITIVE_INFINITY })
})

test('a key named __proto__ is an ordinary key', () => {
  const value = parsedValue('{"__proto__": {"admin": true}}') as object
  expect(Object.entries(value)).toEqual([['__proto__', { admin: true }]])
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
})

test('the last value of a repeated key wins', () => {
  expect(parsedValue('{"scope": "project", "content": "", "scope": "organization"}')).toEqual({
    scope: 'organization',
    content: '',
  })
})

test('parses 1,000 levels, and rejects one more as Python does', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  const tooDeep = (container: string) =>
    `maximum recursion depth exceeded while decoding a JSON ${container} from a unicode string`

  expect(JSON.stringify(parsedValue(nested(1000)))).toBe(nested(1000))
  expect(JSON.stringify(parsedValue(objects(1000)))).toBe(objects(1000))
  expect(errorMessage(() => parseJson(nested(1001)))).toBe(tooDeep('array'))
  expect(errorMessage(() => parseJson(`["wide", 1, ${objects(1000)}]`))).toBe(tooDeep('object'))
  expect(errorMessage(() => parseJson(nested(1_000_000)))).toBe(tooDeep('array'))
})

test('rejects 100,000 unclosed brackets like any other error', () => {
  expect(errorMessage(() => parseJson('['.repeat(100_000)))).toBe(
    'Expecting value: line 1 column 100001 (char 100000)',
  )
  expect(errorMessage(() => parseJson('{"a":'.repeat(100_000)))).toBe(
    'Expecting value: line 1 column 500001 (char 500000)',
  )
})

test('rejects an integer of more than 4,300 digits as Python does', () => {
  expect(errorMessage(() => parseJson(`{"id": -${'7'.repeat(4301)}}`))).toBe(
    'Exceeds the limit (4300 digits) for integer string conversion: value has 4301 digits; ' +
      'use sys.set_int_max_str_digits() to increase the limit',
  )
})

test('accepts any number of digits in a text, a fraction or an exponent', () => {
  const digits = '7'.repeat(4301)
  expect(parsedValue(`["${digits}", 0.${digits}, 7e-${digits}]`)).toEqual([digits, 7 / 9, 0])
  expect(parsedValue('7'.repeat(4300))).toBe(Number.POSITIVE_INFINITY)
  expect(errorMessage(() => parseJson(`[${'7'.repeat(4300)}`))).toBe(
    "Expecting ',' delimiter: line 1 column 4302 (char 4301)",
  )
})

test('parses many long runs of digits quickly', () => {
  const text = `[${Array(1000).fill('7'.repeat(4300)).join()}]`
  expect(milliseconds(() => expect(parsedValue(text)).toHaveLength(1000))).toBeLessThan(2_000)
})
