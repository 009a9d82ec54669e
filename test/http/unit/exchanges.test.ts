import { expect, test } from 'vitest'
import {
  bytesToExchangedBody,
  decodeBase64,
  encodeBase64,
  encodeTextBase64,
  findHeader,
  type HeaderPair,
  isFormBody,
  splitCookies,
} from '../../../src/http/exchange.ts'

test('a header is found by its lowercase name', () => {
  const headers: HeaderPair[] = [
    ['Accept', '*/*'],
    ['Content-Type', 'text/plain'],
    ['content-type', 'text/html'],
  ]

  expect(findHeader(headers, 'content-type')).toBe('text/plain')
  expect(findHeader(headers, 'cookie')).toBeUndefined()
})

test('a request has a cookie for each pair, and a response has one cookie with attributes', () => {
  expect(splitCookies('cookie', 'a=1; b=2;c=3')).toEqual(['a=1', 'b=2', 'c=3'])
  expect(splitCookies('set-cookie', ' a=1; Path=/; Secure')).toEqual(['a=1'])
})

test('the bytes of a body become its text, with its byte order mark, or base64', () => {
  const encode = (text: string) => new TextEncoder().encode(text)

  expect(bytesToExchangedBody(encode('\ufeffÜber'))).toEqual({ text: '\ufeffÜber' })
  expect(bytesToExchangedBody(Uint8Array.of(0x00, 0xff, 0x80))).toEqual({ base64: 'AP+A' })
})

test('base64 keeps every byte', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)

  expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
  expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes)
  expect(encodeTextBase64('Über')).toBe('w5xiZXI=')
})

test.each([
  ['application/x-www-form-urlencoded', true],
  ['Application/X-WWW-Form-Urlencoded; charset=utf-8', true],
  ['text/application/x-www-form-urlencoded', false],
  ['application/json', false],
])('the content type %s is one of a form: %s', (type, expected) => {
  expect(isFormBody([['content-type', type]])).toBe(expected)
})

test('a body without a content type is no form', () => {
  expect(isFormBody([])).toBe(false)
})
