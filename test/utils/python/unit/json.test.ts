import { expect, test } from 'vitest'
import { decodeUtf8Body, JsonParseError, parseJson } from '../../../../src/utils/python-json.ts'
import { recorded } from './recorded.ts'

/** Returns the message of the JsonParseError that a function throws. Any other error fails the test. */
function errorMessage(run: () => unknown): string {
  try {
    return `accepted: ${JSON.stringify(run())}`
  } catch (error) {
    if (error instanceof JsonParseError) return error.message
    throw error
  }
}

const { invalidJson, validJson } = recorded

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

test('the sign of an infinity stays where the constants are accepted', () => {
  const { value } = parseJson('{"low": [-Infinity], "high": Infinity}', () => {})

  expect(value).toEqual({ low: [Number.NEGATIVE_INFINITY], high: Number.POSITIVE_INFINITY })
})

test('a key named __proto__ is an ordinary key', () => {
  const value = parsedValue('{"__proto__": {"admin": true}}') as object
  expect(Object.entries(value)).toEqual([['__proto__', { admin: true }]])
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
})

test('accepts any number of digits in a text, a fraction or an exponent', () => {
  const digits = '7'.repeat(4301)
  expect(parsedValue(`["${digits}", 0.${digits}, 7e-${digits}]`)).toEqual([digits, 7 / 9, 0])
  expect(parsedValue('7'.repeat(4300))).toBe(Number.POSITIVE_INFINITY)
  expect(errorMessage(() => parseJson(`[${'7'.repeat(4300)}`))).toBe(
    "Expecting ',' delimiter: line 1 column 4302 (char 4301)",
  )
})

test.each([
  ['1e2', '100.0'],
  ['1e15', '1000000000000000.0'],
  ['1e16', '1e+16'],
  ['0.0001', '0.0001'],
  ['1E-7', '1e-07'],
  ['-0.0', '-0.0'],
  ['-Infinity', '-inf'],
])('the number %s becomes the text %s', (number, text) => {
  expect(parseJson(`{"a":\t${number}}`, () => {}).numbers).toEqual(new Map([['a', text]]))
})

const { invalidUtf8, truncatedUtf8 } = recorded

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

const parseHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.split(' '), (byte) => Number.parseInt(byte, 16))

test('keeps the byte order mark for the JSON parser to reject', () => {
  expect(decodeUtf8Body(encode('\ufeff{}'))).toBe('\ufeff{}')
})

test('rejects invalid bytes with the message of Python', () => {
  const messages = invalidUtf8.map(([hex]) => [
    hex,
    errorMessage(() => decodeUtf8Body(parseHex(hex))),
  ])

  expect(messages).toEqual(
    invalidUtf8.map(([hex, end]) => [hex, `'utf-8' codec can't decode ${end}`]),
  )
})

test('drops a character that is cut off at the end', () => {
  const texts = truncatedUtf8.map(([hex]) => [hex, decodeUtf8Body(parseHex(hex))])

  expect(texts).toEqual(truncatedUtf8)
})

test('one truncated body does not affect the next one', () => {
  expect(decodeUtf8Body(parseHex('7b 7d c3'))).toBe('{}')
  expect(decodeUtf8Body(parseHex('a9').subarray(1))).toBe('')
  expect(errorMessage(() => decodeUtf8Body(parseHex('a9')))).toBe(
    "'utf-8' codec can't decode byte 0xa9 in position 0: invalid start byte",
  )
})
