import { expect, test } from 'vitest'
import { KeyRedactor, maskKey } from '../../../../src/sandbox/journal/key-redactor.ts'

test('a key that is no well-formed text is hidden as any other', () => {
  const redactor = new KeyRedactor(['half of \ud800'])

  expect(redactor.text('half of \ud800 and more')).toBe('… and more')
  expect(redactor.form('personal_api_key=%ED%A0%80&a=b')).toBe('personal_api_key=%E2%80%A6&a=b')
})

test('a key is never cut within a character', () => {
  expect(maskKey('key🦔 of more than sixteen 🦔end')).toBe('key🦔…🦔end')
})

test('a path that is not encoded well is shown as it is, but for keys', () => {
  const redactor = new KeyRedactor(['phx_all', 'with/slash'])

  expect(redactor.path('/a/%zz/%e4/+&=/')).toBe('/a/%zz/%e4/+&=/')
  expect(redactor.path('/%zz/%70hx_all/')).toBe('/%zz/phx_%E2%80%A6/')
  expect(redactor.path('/a/w%69th/slash/')).toBe('/a/%E2%80%A6/')
})
