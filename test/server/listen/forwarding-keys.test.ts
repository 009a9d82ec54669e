import { expect, test } from 'vitest'
import { serve, serveBefore, startService } from '../../support/forwarding.ts'

const key = 'phx_all'

const sent = [
  ['in the header', '/users', { authorization: `Bearer ${key}` }, undefined],
  ['for a proxy', '/users', { 'proxy-authorization': `Bearer ${key}` }, undefined],
  [
    'in the referrer',
    '/users',
    { referer: `http://localhost/?a=1&personal_api_key=${key}` },
    undefined,
  ],
  ['in the query', `/users?a=%20b&personal_api_key=${key}`, {}, undefined],
  [
    'in JSON',
    '/users',
    { 'content-type': 'application/json' },
    `{"a":1,"personal_api_key":"${key}","list":[{"personal_api_key":"${key}"}]}`,
  ],
  [
    'in a form',
    '/users',
    { 'content-type': 'application/x-www-form-urlencoded' },
    `a=%20b&personal%5Fapi_key=x&personal_api_key=${key}`,
  ],
] as const

test.each(sent)('a key %s is not forwarded', async (_, path, headers, body) => {
  const { origin, received } = await startService()
  const { url } = await serve({ forward: origin })

  const init = body === undefined ? {} : { method: 'POST', body }
  await fetch(url + path, { headers: { ...headers, 'x-mine': 'yes' }, ...init })

  expect(received).toMatchObject([{ headers: { 'x-mine': 'yes' } }])
  expect(JSON.stringify(received)).not.toMatch(/phx_all|personal|uthorization/)
  const [{ url: target, body: rest } = { url: '', body: '' }] = received
  expect(path.includes('?') ? target : '/users?a=%20b').toBe('/users?a=%20b')
  if (body?.startsWith('a=')) expect(rest).toBe('a=%20b')
  if (body?.startsWith('{')) expect(rest).toBe('{"a":1,"list":[{}]}')
})

test.each(sent)('forwardKeys sends a key %s', async (_, path, headers, body) => {
  const { origin, received } = await startService()
  const { url } = await serve({ forward: origin, forwardKeys: true })

  const init = body === undefined ? {} : { method: 'POST', body }
  await fetch(url + path, { headers, ...init })

  expect(received).toMatchObject([{ url: path, headers, body: body ?? '' }])
})

test('a key that cannot be removed is refused', async () => {
  const { origin, received } = await startService()
  const { url } = await serve({ forward: origin, bodyLimit: 1000 })
  const form = new FormData()
  form.set('personal_api_key', key)
  const headers = { 'content-type': 'application/json' }
  const post = (body: BodyInit, init = {}) =>
    fetch(`${url}/users`, { method: 'POST', body, ...init })

  const multipart = await post(form)
  const broken = await post(`{"personal_api_key":"${key}"`, { headers })
  const large = await post(JSON.stringify('x'.repeat(1000)), { headers })

  expect(await multipart.json()).toMatchObject({
    detail: expect.stringContaining('--forward-keys'),
  })
  expect([multipart.status, broken.status, large.status]).toEqual([403, 403, 413])
  expect(received).toEqual([])
})

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'

test.each([
  [json, String.raw`{"personal\u005fapi_key": "phx_all", "a": "\\"}`, String.raw`{ "a": "\\"}`],
  [json, '{"a": 1.0, "PERSONAL_API_KEY": "phx_all"}', '{"a": 1.0}'],
  [
    json,
    '{"n":12345678901234567890,"personal_api_key":"a\\"}","personal_api_key":null}',
    '{"n":12345678901234567890}',
  ],
  [json, '[{"personal_api_key":"phx_all","x":",}é"}]', '[{"x":",}é"}]'],
  [json, '{"field": "personal_api_key", "x": 1.0}', '{"field": "personal_api_key", "x": 1.0}'],
  [json, '["personal_api_key" , 1e2]', '["personal_api_key" , 1e2]'],
  [form, 'a=é&personal%5Fapi_key=phx_all', 'a=é'],
  [form, 'Personal%5fapi%5Fkey%5B%5D=phx_all&b=1', 'b=1'],
])('only the key is cut out of a body of %s: %s', async (type, body, rest) => {
  const { origin, received } = await startService()
  const { url } = await serve({ forward: origin })

  await fetch(`${url}/users`, { method: 'POST', headers: { 'content-type': type }, body })

  const length = String(Buffer.byteLength(rest))
  expect(received).toMatchObject([{ body: rest, headers: { 'content-length': length } }])
})

test('a body that is no text passes without a change if it has no key', async () => {
  const bytes: number[] = []
  const { url } = await serveBefore((request, response) => {
    request.on('data', (chunk: Buffer) => bytes.push(...chunk))
    request.on('end', () => response.end())
  })
  const headers = { 'content-type': form }

  await fetch(`${url}/users`, { method: 'POST', headers, body: new Uint8Array([0xff, 0x3d, 0x80]) })

  expect(bytes).toEqual([0xff, 0x3d, 0x80])
})

test.each([
  ['within an object', json, '{"personal_api_key": {"value": "phx_all"}}'],
  ['within a list', json, '{"personal_api_key": ["phx_all"], "a": 1}'],
  ['in UTF-16', json, Buffer.from('{"personal_api_key": "phx_all"}', 'utf16le')],
  [
    'with an encoded name',
    'multipart/form-data; boundary=x',
    "--x\r\ncontent-disposition: form-data; name*=UTF-8''personal%5Fapi_key\r\n\r\nphx_all\r\n--x--",
  ],
])('a key %s is refused', async (_, type, body) => {
  const { origin, received } = await startService()
  const { url } = await serve({ forward: origin })
  const headers = { 'content-type': type }

  const response = await fetch(`${url}/users`, { method: 'POST', headers, body })

  expect([response.status, received]).toEqual([403, []])
})
