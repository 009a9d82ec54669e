import { expect, test } from 'vitest'
import { KeyRedactor, maskKey } from '../../../../src/utils/redaction/mask.ts'

test('a key that is not well-formed Unicode is masked', () => {
  const redactor = new KeyRedactor(['half of \ud800'])

  expect(redactor.text('half of \ud800 and more')).toBe('… and more')
  expect(redactor.form('personal_api_key=%ED%A0%80&a=b')).toBe('personal_api_key=%E2%80%A6&a=b')
})

test('maskKey never cuts a surrogate pair', () => {
  expect(maskKey('key🦔 of more than sixteen 🦔end')).toBe('key🦔…🦔end')
})

test('a path with invalid encoding is unchanged except for keys', () => {
  const redactor = new KeyRedactor(['phx_all', 'with/slash'])

  expect(redactor.path('/a/%zz/%e4/+&=/')).toBe('/a/%zz/%e4/+&=/')
  expect(redactor.path('/%zz/%70hx_all/')).toBe('/%zz/phx_%E2%80%A6/')
  expect(redactor.path('/a/w%69th/slash/')).toBe('/a/%E2%80%A6/')
})
