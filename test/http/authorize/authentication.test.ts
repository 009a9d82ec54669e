import { expect, test } from 'vitest'
import { profiles } from '../../../src/settings/profiles.ts'
import { invalidKey, notFound, unauthenticated } from '../../support/api/errors.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/transports/start.ts'

const malformed = [
  ...['bearer phx_all', 'BEARER phx_all', 'Bearerphx_all', 'Bearer', 'Bearer ', 'Bearer x', ''],
  ...['Token phx_all', 'Basic cGh4', 'phx_all', 'Key Bearer phx_all'],
]

test.each(profiles)(
  'in %s the header is exactly Bearer, white space and a key',
  async (profile) => {
    const { ask } = await start({ profile })
    const sendHeader = (authorization: string) =>
      ask('GET', `${annotationsPath}1/`, { key: null, headers: { authorization } })

    for (const header of [
      'Bearer phx_all',
      'Bearer    phx_all',
      'Bearer\tphx_all',
      '  Bearer phx_all  ',
    ]) {
      expect.soft(await sendHeader(header), header).toMatchObject({ status: 200, body: { id: 1 } })
    }
    for (const header of malformed) {
      expect.soft(await sendHeader(header), header).toEqual(unauthenticated())
    }
  },
)

test('a key has at least two characters', async () => {
  const { ask, simulator } = await start()
  simulator.keys.issue({ value: 'ok' })

  expect(await ask('GET', `${annotationsPath}1/`, { key: 'ok' })).toMatchObject({ status: 200 })
  expect(await ask('GET', `${annotationsPath}1/`, { key: 'no' })).toEqual(invalidKey())
})

test.each(profiles)('in %s a key must match exactly', async (profile) => {
  const { ask } = await start({ profile })

  for (const key of ['PHX_ALL', 'phx_al', 'phx_all2', 'phx_all phx_all', '__proto__']) {
    expect.soft(await ask('GET', annotationsPath, { key }), key).toEqual(invalidKey())
    expect.soft(await ask('POST', annotationsPath, { key, body: {} })).toEqual(invalidKey())
  }
})

test('an issued key works at once, and no operation issues keys', async () => {
  const { ask, simulator } = await start()

  const key = simulator.keys.issue({ user: 2, scopes: ['annotation:read'] })

  expect(await ask('GET', annotationsPath, { key })).toMatchObject({ status: 200 })
  expect(await ask('POST', '/api/personal_api_keys/', { body: {} })).toEqual(
    notFound('Endpoint not found.'),
  )
})

test('a key does not expire, and works until it is revoked', async () => {
  const { ask, simulator } = await start()
  const key = simulator.keys.issue()

  simulator.clock.advance({ days: 20 * 365 })
  expect(await ask('GET', annotationsPath, { key })).toMatchObject({ status: 200 })

  expect(simulator.keys.revoke(key)).toBe(true)
  expect(await ask('GET', annotationsPath, { key })).toEqual(invalidKey())
  expect(await ask('GET', annotationsPath)).toMatchObject({ status: 200 })
})

test('by default a key in the body or the query is ignored', async () => {
  const { ask } = await start()

  const inQuery = await ask('GET', `${annotationsPath}?personal_api_key=phx_all`, { key: null })
  const inBody = await ask('POST', annotationsPath, {
    key: null,
    body: { personal_api_key: 'phx_all' },
  })

  expect(inQuery).toEqual(unauthenticated())
  expect(inBody).toEqual(unauthenticated())
})

test('live, a key can be in the body or in the query', async () => {
  const { ask, simulator } = await start({ profile: 'live' })
  const personal_api_key = simulator.keys.issue({ user: 2 })
  const query = `?personal_api_key=${personal_api_key}`
  const created = { status: 201, body: { content: 'x', created_by: { id: 2 } } }

  expect(await ask('GET', `${annotationsPath}1/${query}`, { key: null })).toMatchObject({
    status: 200,
  })
  const body = { content: 'x', personal_api_key }
  expect(await ask('POST', annotationsPath, { key: null, body })).toMatchObject(created)
  expect(
    await ask('POST', annotationsPath + query, { key: null, body: { content: 'x' } }),
  ).toMatchObject(created)
  const raw = new URLSearchParams(body)
  expect(await ask('POST', annotationsPath, { key: null, raw })).toMatchObject(created)
})

test('live, only the first key is tried: header, then body, then query', async () => {
  const { ask } = await start({ profile: 'live' })
  const good = 'phx_all'
  const bad = 'phx_nobody'
  const sendKeys = (key: string | null, bodyKey: string, queryKey: string) =>
    ask('POST', `${annotationsPath}?personal_api_key=${queryKey}`, {
      key,
      body: { personal_api_key: bodyKey },
    })

  expect(await sendKeys(bad, good, good)).toEqual(invalidKey())
  expect(await sendKeys(null, bad, good)).toEqual(invalidKey('body'))
  expect(await sendKeys(good, bad, bad)).toMatchObject({ status: 201 })
  expect(await sendKeys(null, good, bad)).toMatchObject({ status: 201 })
  // A header with an invalid key counts as missing.
  expect(await sendKeys('x', good, bad)).toMatchObject({ status: 201 })

  const sendInQuery = (value: string) =>
    ask('GET', `${annotationsPath}?personal_api_key=${value}`, { key: null })
  expect(await sendInQuery(bad)).toEqual(invalidKey('query string'))
  expect(await sendInQuery('')).toEqual(invalidKey('query string'))
  expect(await sendKeys(null, '', good)).toEqual(invalidKey('body'))
  expect(await sendInQuery(`${bad}&personal_api_key=${good}`)).toMatchObject({ status: 200 })
})
