import { expect, test } from 'vitest'
import { decodeUtf8, decodeUtf8Body } from '../../../../src/utils/python/utf8.ts'
import { errorMessage } from './error-message.ts'
import { refusedUtf8 } from './utf8.table.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.split(' '), (byte) => Number.parseInt(byte, 16))

test('reads text of every width', () => {
  expect(decodeUtf8(encode('a é € 🦔 \0 \u{10ffff}'))).toBe('a é € 🦔 \0 \u{10ffff}')
})

test('the byte order mark stays, for the JSON reader to refuse', () => {
  expect(decodeUtf8(encode('\ufeff{}'))).toBe('\ufeff{}')
  expect(decodeUtf8Body(encode('\ufeff{}'))).toBe('\ufeff{}')
})

test('refuses what Python refuses, in its words', () => {
  const answers = refusedUtf8.map(([hex]) => [hex, errorMessage(() => decodeUtf8(bytesOf(hex)))])
  expect(answers).toEqual(refusedUtf8.map(([hex, message]) => [hex, message]))
})

test('of a body, a character cut off at the very end is dropped; all else is refused', () => {
  const answers = refusedUtf8.map(([hex, message, streamed]) =>
    streamed === undefined
      ? [hex, message, errorMessage(() => decodeUtf8Body(bytesOf(hex)))]
      : [hex, message, decodeUtf8Body(bytesOf(hex))],
  )
  expect(answers).toEqual(
    refusedUtf8.map(([hex, message, streamed]) => [hex, message, streamed ?? message]),
  )
})

test('one broken body leaves the next one alone', () => {
  expect(decodeUtf8Body(bytesOf('7b 7d c3'))).toBe('{}')
  expect(decodeUtf8Body(bytesOf('a9').subarray(1))).toBe('')
  expect(errorMessage(() => decodeUtf8Body(bytesOf('a9')))).toBe(
    "'utf-8' codec can't decode byte 0xa9 in position 0: invalid start byte",
  )
})
