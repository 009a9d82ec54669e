import { expect, test } from 'vitest'
import document from '../../../src/api/openapi.json' with { type: 'json' }
import { kindOfName } from '../../../src/utils/redaction/names.ts'

const words = (text: string): string[] => text.trim().split(/\s+/)

const secret = words(`
  Authorization Proxy-Authorization Authentication Cookie Set-Cookie X-Api-Key Api-Key X-Secret
  X-Auth-Token X-Access-Token X-CSRFToken X-XSRF-TOKEN X-Amz-Security-Token X-Session-Token
  Private-Token X-Gitlab-Token X-Goog-Api-Key Ocp-Apim-Subscription-Key X-Amz-Signature
  X-Amz-Credential token access_token accessToken authtoken tokens api_token apiKey APIKEY
  api_keys personal_api_key personal_api_key[] user[password] client.secret db-password passwd
  sessionid JSESSIONID PHPSESSID session_id session auth oauth2 jwt id_jwt sig signature
  credentials privateKey access_key secretKey2 csrfmiddlewaretoken passphrase
  X-Otp otp totp X-Passcode user_passcode HTTPAuth aUtHoRiZaTiOn passWord X-aPi-KeY pin sid
  code_verifier client_assertion SAMLResponse mfa_code verification_code recoveryCodes
  csrf _csrf xsrf smtp_pass connect.sid sshkey accesskeyid`)

const plain = words(`
  monkey keyboard author authors authority authored_by keynote turkey tokenize tokenizer
  secretary passenger passport compass sessile obsession design assign significant cookiecutter
  Accept Content-Type WWW-Authenticate ETag public_key primary_key foreignKey sort_key
  insight_name dashboard_name insight_short_id item_id created_by plugin_name Idempotency-Key
  keys keys.missing.status status country_code opcode encode pinned spin inside reside assertions
  side pins account_sid client_assertion_type boarding_pass error_code`)

test.each(secret)('%s names a secret', (name) => {
  expect(kindOfName(name)).toMatch(/^(secret|key)$/)
})

test.each(plain)('%s names no secret', (name) => {
  expect(kindOfName(name, true)).toBe(null)
})

test('of the fields of the API, only these are about a key or a person', () => {
  const names = new Set<string>()
  JSON.stringify(document, (name, value) => {
    if (name === 'properties') for (const field of Object.keys(value)) names.add(field)
    return value
  })

  expect([...names].filter((name) => kindOfName(name) !== null).sort()).toEqual(
    words('api_token distinct_id email first_name last_name'),
  )
})

test.each(['key', 'code', 'assertion'])('%s names a secret as a parameter only', (name) => {
  expect([kindOfName(name), kindOfName(name, true)]).toEqual([null, 'secret'])
})

test.each([
  ['name', 'first_name lastName MIDDLE_NAME full_name given_name display_name username surname'],
  ['person', 'distinct_id distinctId phone phone_number phoneNumber'],
  ['email', 'email e_mail Email_Address emailAddress'],
  ['key', 'personal_api_key personal_api_key[]'],
  [null, 'name my_first_name first_names surnames distinct_ids phones emails my_email tenants'],
])('%s: %s', (kind, names) => {
  for (const name of names.split(' ')) expect.soft(kindOfName(name), name).toBe(kind)
})
