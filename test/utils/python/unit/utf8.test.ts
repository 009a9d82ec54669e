import { expect, test } from 'vitest'
import { decodeUtf8Body } from '../../../../src/utils/python-json.ts'
import { errorMessage } from './error-message.ts'
import { recorded } from './recorded.ts'

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
