import { expect, test } from 'vitest'
import { profiles } from '../../../src/settings/profiles.ts'
import { invalidKey, unauthenticated } from '../../support/api/errors.ts'
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
