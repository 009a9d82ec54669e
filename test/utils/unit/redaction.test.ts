import { expect, test } from 'vitest'
import { percentEncode } from '../../../src/utils/query.ts'
import { Aliases } from '../../../src/utils/redaction/aliases.ts'
import { applyEdits } from '../../../src/utils/redaction/decoded.ts'
import { KnownSecrets } from '../../../src/utils/redaction/known-secrets.ts'
import { KeyRedactor, maskKey, Redactor } from '../../../src/utils/redaction/redactor.ts'
import { findSecrets, heads, type Replacement } from '../../../src/utils/redaction/scanner.ts'

const strategy: Replacement = {
  finds: 'names',
  replace: () => '…',
  number: (written) => written,
}

test('added names are secret, without case', () => {
  const redactor = new Redactor(strategy, ['X-Internal', 'tenant'])

  expect(
    ['x-internal', 'Tenant', 'user[tenant][]', 'tenants'].map((name) =>
      redactor.isSecretName(name),
    ),
  ).toEqual([true, true, true, false])
})

test('plain values are kept, and the values of `key` unless they look random', () => {
  const body = {
    token_type: 'Bearer',
    token: ['', 'null', 'abc', 5, '2024-06-03T09:00:00.123456789+02:00'],
    key: 'access_key',
    inner: { Key: 'A1+/aSyA0=~.-_ab' },
  }

  expect(new Redactor(strategy).json(body)).toEqual({
    ...body,
    token: ['', 'null', '…', 5, '2024-06-03T09:00:00.123456789+02:00'],
    inner: { Key: '…' },
  })
  expect(new Redactor({ ...strategy, number: () => '"#"' }).json(-5, ['token', 0])).toBe('#')
})

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

test.each([
  [`of ${jwt}!`, 'of …!'],
  [`{"key": "No row for ${jwt}"}`, '{"key": "No row for …"}'],
  [`a\\n${jwt}`, 'a\\n…'],
  [`q=%20${jwt}&b=c`, 'q=%20…&b=c'],
  [`${jwt.slice(0, -10)}.`, '…'],
  ['curl -H "Authorization: Bearer abc12345"', 'curl -H "Authorization: Bearer …"'],
  ['bEaReR%20abcdefghijklmnopqrstuvwx==, x', 'bEaReR%20…, x'],
  ['Bearer authentication failed', 'Bearer authentication failed'],
  ['Bearer <token>', 'Bearer <token>'],
  ['of phx_0123456789abcdef, phc_0123456789abcdef', 'of …, phc_0123456789abcdef'],
  ['phx_0123456789 ada@corp.test', 'phx_0123456789 ada@corp.test'],
  ['Basic dXNlcjpwYXNzd29yZA==, Basic understanding', 'Basic …, Basic understanding'],
  [`${'ghp_'}${'a1'.repeat(18)} and ${'npm_'}${'a1'.repeat(18)}`, '… and …'],
  [`${'AKIA'}IOSFODNN7EXAMPLE, ${'sk_live_'}${'a1'.repeat(12)}`, '…, …'],
  [`\\n${'xoxb-'}123456789012-ab, ${'glpat-'}${'a1'.repeat(10)}`, '\\n…, …'],
  [
    'monkeyIDs, ghp_short, task-sk-list, npm_config',
    'monkeyIDs, ghp_short, task-sk-list, npm_config',
  ],
  [
    `-----BEGIN RSA PRIVATE ${'KEY'}-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A\n\nMIIE/+=\n-----END RSA`,
    `-----BEGIN RSA PRIVATE ${'KEY'}-----\n…-----END RSA`,
  ],
  [`${'glrt-'}${'a1'.repeat(10)}, ${'glpat-'}${'a1'.repeat(14)}.01.0a1b2c3d4`, '…, …'],
  [`${'GOCSPX-'}${'a1'.repeat(14)}, ${'1//0'}${'a1'.repeat(20)}`, '…, …'],
  [`${'xoxe.'}xoxp-1-${'a1'.repeat(9)}, ${'sk_org_'}live_${'a1'.repeat(9)}`, '…, …'],
  ['Hooks.Slack.com/services/T0/B0/a1b2c3d4e5f6g7h8', 'Hooks.Slack.com/services/…'],
  ['Authorization: Token a1b2c3d4, of Bearer\\ta1b2c3d4', 'Authorization: Token …, of Bearer\\t…'],
  [
    `https://${'a1'.repeat(10)}@a.test/, https://ada@a.test/`,
    'https://…@a.test/, https://ada@a.test/',
  ],
  [
    'db://ada:p/q#r@a.test, http://[::1]:80/b@c:80/d@e',
    'db://ada:…@a.test, http://[::1]:80/b@c:80/d@e',
  ],
  [`https://ada:${'p'.repeat(600)}@a.test/`, 'https://ada:…@a.test/'],
  ['eyJ is no token, nor is heyJude.b.c', 'eyJ is no token, nor is heyJude.b.c'],
])('%s is masked as %s', (text, masked) => {
  const edits = findSecrets(text, { ...strategy, finds: 'secrets' }, null)

  expect(applyEdits(text, edits)).toBe(masked)
})

test.each([
  ['SECRET_KEY = "abc def"; token=abc, a=b', 'SECRET_KEY = "…"; token=… a=b'],
  ["{'password': 'it\\'s', 'user': 'ada'}", "{'password': '…', 'user': 'ada'}"],
  ['{"password": "hunter2", "a": …', '{"password": "…", "a": …'],
  ['{\\"token\\":\\"a\\\\\\"b\\",\\"n\\":1', '{\\"token\\":\\"…\\",\\"n\\":1'],
  ['Bearer realm="api", token="abc"', 'Bearer realm="api", token="…"'],
  ['Invalid token: a1b2c3d4e5f6g7h8i9. Token: none', 'Invalid token: … Token: none'],
  ['#access_token=abc&state=1', '#access_token=…&state=1'],
  ['/?next=%252Fx%253Ftoken%253Dabc&a=%20b', '/?next=%252Fx%253Ftoken%253D%25E2%2580%25A6&a=%20b'],
  [
    JSON.stringify({ a: JSON.stringify({ b: '{"token":"abc"}' }) }),
    '{"a":"{\\"b\\":\\"{\\\\\\"token\\\\\\":\\\\\\"…\\\\\\"}\\"}"}',
  ],
  [
    'Content-Disposition: form-data; name="password"\r\n\r\nab\r\nc\r\n--x',
    'Content-Disposition: form-data; name="password"\r\n\r\n…\r\n--x',
  ],
  [
    'Content-Disposition: form-data; filename="a"; name=token\n\nab\n--x',
    'Content-Disposition: form-data; filename="a"; name=token\n\n…\n--x',
  ],
  ["?token=it's&a=b, ('?token=abc')", "?token=…&a=b, ('?token=…')"],
  ['no row `X-Api-Key: a1b2c3d4e5f6g7h8`', 'no row `X-Api-Key: …`'],
  ['{"sessions": {"a1b2c3d4e5f6g7h8": {"user": "ada"}}}', '{"sessions": {"…": {"user": "…"}}}'],
  ['Session: the token: it', 'Session: the token: it'],
  ['<a:otp>hunter2</a:otp><code>hunter</code>', '<a:otp>…</a:otp><code>hunter</code>'],
  [' {"api_token": "hunter2"}', ' {"api_token": "…"}'],
  ['{"otp": 778899, "headers": {"code": "b"}}', '{"otp": "…", "headers": {"code": "…"}}'],
  ['{"password": "hunter2", "password": null}', '{"password": "…", "password": null}'],
  ['[{"Name":"X-Api-Key","Value":"hunter2"}]', '[{"Name":"X-Api-Key","Value":"…"}]'],
  ['<input value="hunter2" type="text" name="otp">', '<input value="…" type="text" name="otp">'],
  ['&#034;password&#034;: &#X27;hunter2&#X27;', '&#034;password&#034;: &#X27;…&#X27;'],
  ['const token = `hunter2`, {"pwd": "hunter2"}', 'const token = `…`, {"pwd": "…"}'],
  ['[{"key": "pwd", "value": "hunter2"}]', '[{"key": "pwd", "value": "…"}]'],
  ['["user[pwd]", "0123456789abcdef", "api_key", "word"]', '["user[pwd]", "…", "api_key", "word"]'],
  ['//ada:hunter2@a.test/ // see: b@a.test', '//ada:…@a.test/ // see: b@a.test'],
  ['Authorization: Digest username="u", response="hunter2"', 'Authorization: Digest …'],
  ['Authorization: Basic dXNlcjpwYXNz, Bearer "a1b2c3d4"', 'Authorization: Basic …, Bearer "…"'],
  [
    '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\na\r\n--hunter2\r\n--b--',
    '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n…\r\n--b--',
  ],
  ['a {"tokens": [{"a": "b", "c1b2c3d4e5f6g7h8": 5}', 'a {"tokens": [{"a": "…", "…": …}'],
  ["{'auth': {a: b, 'at': ['it\\'s', True]}} a", "{'auth': {a: …, 'at': ['…', True]}} a"],
  ['a {\\"tokens\\":[\\"b\\"],\\"otp\\":42}', 'a {\\"tokens\\":[\\"…\\"],\\"otp\\":…}'],
  ['tokens: ["a\nb, c', 'tokens: ["…'],
  ['token=[HIDDEN]&a=["b"], /x/pin=hunter2', 'token=…&a=["b"], /x/pin=…'],
  ['a {"k": "otp", "v": [1, "b"]} {"v": 42}', 'a {"k": "otp", "v": […, "…"]} {"v": …}'],
])('in the text %s names are read: %s', (text, masked) => {
  expect(new KeyRedactor([]).text(text)).toBe(masked)
})

test.each([
  ['one that begins with another one', 'sesame admin, sesame', '…, …'],
  ['one that is encoded', 'sesame%20admin, sesame+admin', '…, …'],
  ['one of 16 characters', '0123456789abcdef', '0123…cdef'],
  ['one with a short prefix', 'k_sesame', 'k_…'],
  ['a number in a list', '[7700123]', '[…]'],
])('a key is masked whole: %s', (_, text, masked) => {
  const redactor = new KeyRedactor([
    'sesame',
    'sesame admin',
    '0123456789abcdef',
    'k_sesame',
    '7700123',
  ])

  expect(redactor.text(text)).toBe(masked)
})

test('what is plain in a header and an address stays, and passwords do not', () => {
  const redactor = new KeyRedactor([])

  expect(redactor.header('Access-Control-Allow-Credentials', 'true')).toBe('true')
  expect(redactor.header('Authorization', 'DPoP hunter22')).toBe('DPoP …')
  expect(redactor.url('https://ada:hunter22@a.test/b')).toBe('https://a.test/b')
  expect(redactor.url('/a;key=hunter2;v=1/b')).toBe('/a;key=…')
})

test.each([
  ['letters', 'a'.repeat(70_000)],
  ['base64', 'Ab+/='.repeat(20_000)],
  ['quotes and backslashes', '\\"'.repeat(40_000)],
])(
  'a secret of any length is replaced wherever it occurs, and so is what begins like it: %s',
  (_, value) => {
    const aliases = new Aliases()
    for (const known of [value, value.slice(0, 50_000), value.slice(1)])
      aliases.learn('secret', known)
    const other = `${value.slice(0, 49_999)}!`

    expect(new KeyRedactor([value]).text(`of ${value}!`)).toBe(`of ${maskKey(value)}!`)
    expect(
      new Redactor(aliases).text(`${value}, ${percentEncode(value)}, ${value.slice(1)}, ${other}`),
    ).toBe(`replaced-secret-1, replaced-secret-1, replaced-secret-2, replaced-secret-3!`)
  },
)

test('a known secret is replaced in a page that shows it, and so is a password with an accent', () => {
  const learned = new Aliases()
  learned.learn('secret', `a<"it's">b`)
  learned.learner.replace('YWRhOmjDqTFow6low6k=', 'secret', 'authorization')

  expect(
    new Redactor(learned).text(
      '<p>a&lt;&quot;it&#39;s&quot;&gt;b a&lt;&quot;it&#x27;s&quot;&gt;b hé1héhé',
    ),
  ).toBe('<p>replaced-secret-1 replaced-secret-1 replaced-secret-2')
})

test('a key is masked, however a form encodes it, and if it is not well-formed Unicode', () => {
  const redactor = new KeyRedactor(['half of \ud800'])

  expect(redactor.form('content=Ask+phx%5Fcanary1234567890&a=b+c')).toBe(
    'content=Ask%20phx_%E2%80%A67890&a=b+c',
  )
  expect(redactor.text('half of \ud800 and more')).toBe('… and more')
  expect(redactor.form('personal_api_key=%ED%A0%80&a=b')).toBe('personal_api_key=%E2%80%A6&a=b')
})

test('a path with invalid encoding is unchanged except for keys', () => {
  const redactor = new KeyRedactor(['phx_all', 'with/slash'])

  expect(redactor.text('/a/%zz/%e4/+&=/')).toBe('/a/%zz/%e4/+&=/')
  expect(redactor.text('/%zz/%70hx_all/')).toBe('/%zz/phx_%E2%80%A6/')
  expect(redactor.text('/a/w%69th/slash/')).toBe('/a/%E2%80%A6/')
})

test('lists in texts in lists are read without running out of stack', () => {
  const nest = (inner: string) => '['.repeat(990) + JSON.stringify(inner) + ']'.repeat(990)
  const text = nest(nest(nest('x')))

  expect(new KeyRedactor([]).json({ text })).toEqual({ text })
})

test('a JSON text with millions of escapes is redacted', () => {
  const redactor = new KeyRedactor([])
  const long = '\n'.repeat(4_000_000)

  const text = redactor.body(JSON.stringify({ a: long, password: 'hunter2' }))

  expect(text.slice(-16)).not.toContain('hunter2')
  expect(JSON.parse(text).a).toBe(long)
})

test.each([
  [
    '{"otp": 778899, "token": 778899, "password": -12.5e10}',
    '{"otp": 100000, "token": 100000, "password": -10.0e00}',
  ],
  [
    '{"code": 7788, "otp": 42, "token": [true, null, 4711]}',
    '{"code": 7788, "otp": 42, "token": [true, null, 1000]}',
  ],
])('a number under a secret name becomes another one of as many digits: %s', (text, hidden) => {
  expect(new Redactor(new Aliases()).text(text)).toBe(hidden)
})

test('the names of a form are secret in what is written of it as JSON', () => {
  const form = { code: 'hunter2', inner: { code: 'plain' } }

  expect(new KeyRedactor([]).json(form, [], true)).toEqual({ ...form, code: '…' })
})

test.each([
  // What `key` names can be a sentence.
  ['key="see token=abcDEF0123456789ghiJKL"', 'key="see token=…"'],
  ['key: "see token=abcDEF0123456789ghiJKL', 'key: "see token=…'],
  ['&quot;key&quot;: &quot;see token=abcDEF&quot;', '&quot;key&quot;: &quot;see token=…&quot;'],
  // A form writes a space as a plus sign.
  ['Bearer a1b2c3d4e5f6+Bearer g7h8i9j0k1l2', 'Bearer …+Bearer …'],
  ['Bearer a1b2c3d4e5f6+basic', 'Bearer …'],
  // The sign of a name can look like that of an address.
  ['token://phc_0123456789abcdef, http://a.test:80/b', 'token:…, http://a.test:80/b'],
  [`ada@example.com.${'npm_'}${'a1'.repeat(18)}`, 'ada@example.com.…'],
])('the secrets in %s are hidden', (text, hidden) => {
  const mask: Replacement = { ...strategy, finds: 'secrets' }

  expect(new Redactor(mask).text(text)).toBe(hidden)
})

test.each([
  'cookie: token=abc',
  'https://&ada@example.com',
  'Authorization: Token client_session_secret="abcDEF0123456789ghiJKL"',
  'key="a1b2c3d4e5f6g7h8", token=replaced-secret-9',
])('what was redacted stays when it is redacted again: %s', (text) => {
  const once = new Redactor(new Aliases()).text(text)

  expect(new Redactor(new Aliases()).text(once)).toBe(once)
  expect(once).not.toBe(text)
})

test.each([
  [`@example.com.${'npm_'}${'a1'.repeat(18)}`, '.replaced-secret-1'],
  ['&#64;corp.test', ''],
  ['&#x40;corp.test', ''],
  ['&commat;corp.test', ''],
  ['\\u0040corp.test', ''],
])('an address ends where a token begins, and its sign can be escaped: %s', (end, rest) => {
  expect(new Redactor(new Aliases()).text(`ada${end}`)).toBe(`replaced-email-1@example.com${rest}`)
})

test('JSON in a part of a text is read, also if it is encoded twice', () => {
  const part = percentEncode(percentEncode('{"otp": 778899, "a": {"session": {"b": "c"}}}'))

  expect(new Redactor(new Aliases()).text(`of ?q=${part}&b=%20`)).toBe(
    `of ?q=${percentEncode(percentEncode('{"otp": 100000, "a": {"session": {"b": "replaced-secret-1"}}}'))}&b=%20`,
  )
})

test('a text is read as often as it is decoded, whatever its words are', () => {
  let read = 0
  const find = (text: string) => {
    read += text.length
    return undefined
  }
  const known = Object.assign(new KnownSecrets(), { find })
  const text = '%2540://<'.repeat(1_000)

  new Redactor({ ...strategy, finds: 'secrets', known }).text(text)

  expect(read).toBeLessThanOrEqual(4 * text.length)
})

test('in an expression that finds secrets, nothing that can fail follows what has no bound', () => {
  const token = /\\.|\[(?:\\.|[^\]])*\]|\{\d+(?:,\d*)?\}|\(\?(?:<?[=!]|:|<\w+>)|./gs
  const parts = heads.source.match(token) as string[]
  const followers = parts.flatMap((part, at) => {
    if (!/^(?:[+*]|\{\d+,\})$/.test(part)) return []
    let [rest, depth, isOther] = ['', 0, false]
    for (const next of parts.slice(at + 1)) {
      if (next.startsWith('(')) depth += 1
      if (next === ')' && depth === 0) isOther = false
      else if (next === '|' && depth === 0) isOther = true
      else if (!isOther) rest += next
      if (next === ')') depth = Math.max(0, depth - 1)
    }
    return [rest]
  })

  expect(followers.length).toBeGreaterThan(10)
  // What may be missing never fails.
  expect(followers.filter((rest) => !/^(?:\(\?:.*\)[*?]|[*?])*$/.test(rest))).toEqual([])
})
