import { expect, test } from 'vitest'
import { redactLookalikes, SecretNames } from '../../../src/utils/redaction/secret-names.ts'
import { milliseconds } from '../../support/milliseconds.ts'

const secret = [
  ...'Authorization Proxy-Authorization Authentication Cookie Set-Cookie X-Api-Key Api-Key X-Secret'.split(
    ' ',
  ),
  ...'X-Auth-Token X-Access-Token X-CSRFToken X-XSRF-TOKEN X-Amz-Security-Token X-Session-Token'.split(
    ' ',
  ),
  ...'Private-Token X-Gitlab-Token X-Goog-Api-Key Ocp-Apim-Subscription-Key X-Amz-Signature'.split(
    ' ',
  ),
  ...'X-Amz-Credential token access_token accessToken authtoken tokens api_token apiKey APIKEY'.split(
    ' ',
  ),
  ...'api_keys personal_api_key personal_api_key[] user[password] client.secret db-password passwd'.split(
    ' ',
  ),
  ...'sessionid JSESSIONID PHPSESSID session_id session auth oauth2 jwt id_jwt sig signature'.split(
    ' ',
  ),
  ...'credentials privateKey access_key secretKey2 csrfmiddlewaretoken passphrase'.split(' '),
]

const plain = [
  ...'monkey keyboard author authors authority authored_by keynote turkey tokenize tokenizer'.split(
    ' ',
  ),
  ...'secretary passenger passport compass sessile obsession design assign significant cookiecutter'.split(
    ' ',
  ),
  ...'Accept Content-Type WWW-Authenticate ETag public_key primary_key foreignKey sort_key'.split(
    ' ',
  ),
  ...'Idempotency-Key keys keys.missing.status status country_code opcode encode pinned spin'.split(
    ' ',
  ),
]

test.each(secret)('%s names a secret', (name) => {
  expect(new SecretNames().has(name)).toBe(true)
  expect(new SecretNames().has(name, true)).toBe(true)
})

test.each(plain)('%s names no secret', (name) => {
  expect(new SecretNames().has(name)).toBe(false)
  expect(new SecretNames().has(name, true)).toBe(false)
})

test.each(['key', 'code', 'pass', 'pin'])('%s names a secret as a parameter only', (name) => {
  expect([new SecretNames().has(name), new SecretNames().has(name, true)]).toEqual([false, true])
})

test('a further name is secret everywhere, without case', () => {
  const names = new SecretNames(['X-Internal', 'tenant'])

  expect(['x-internal', 'Tenant', 'tenants'].map((name) => names.has(name))).toEqual([
    true,
    true,
    false,
  ])
})

test('plain values are kept, and the values of `key` unless they look random', () => {
  const names = new SecretNames()
  const mask = (name: string, value: string) => names.maskFor(name, () => '…')?.(value) ?? value

  expect(mask('token_type', 'Bearer')).toBe('Bearer')
  expect(mask('access-control-allow-credentials', 'true')).toBe('true')
  expect(mask('token', '')).toBe('')
  expect(mask('key', 'access_key')).toBe('access_key')
  expect(mask('key', 'AIzaSyA0123456789abcdef')).toBe('…')
})

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

test.each([
  [`of ${jwt}!`, 'of …!'],
  [`a\\n${jwt}`, 'a\\n…'],
  [`q=%20${jwt}&b=c`, 'q=%20…&b=c'],
  [`${jwt.slice(0, -10)}.`, '…'],
  ['curl -H "Authorization: Bearer abc12345"', 'curl -H "Authorization: Bearer …"'],
  ['bearer%20abcdefghijklmnopqrstuvwx==, x', 'bearer%20…, x'],
  ['Bearer authentication failed', 'Bearer authentication failed'],
  ['Bearer <token>', 'Bearer <token>'],
  ['eyJ is no token, nor is heyJude.b.c', 'eyJ is no token, nor is heyJude.b.c'],
])('%s is masked as %s', (text, masked) => {
  expect(redactLookalikes(text, () => '…')).toBe(masked)
})

test.each([
  'eyJ',
  'eyJaaaaaaaa.',
  'Bearer ',
  'Bearer%20',
  '%20eyJaaaaaaaaa',
  'a-eyJ',
  'eyJaaaaaaaa-',
])('a million characters of %s take little time', (part) => {
  const text = part.repeat(1_000_000 / part.length)
  expect(milliseconds(() => redactLookalikes(text, () => '…'))).toBeLessThan(2_000)
})
