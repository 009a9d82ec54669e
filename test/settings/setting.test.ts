import { expect, test } from 'vitest'
import { forbidden, notFound, refusal, unauthenticated } from '../support/api/errors.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { spendRequests } from '../support/api/rate-limit.ts'
import { start } from '../support/transports/start.ts'

// Values that neither profile uses. test/every/setting.test.ts checks that each value of each setting has an effect.
const missing = { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null }
const html = '<html><head><title>404</title></head><body><h1>404</h1></body></html>'
const ids = (body: unknown) => (body as { results: { id: number }[] }).results.map(({ id }) => id)

const bodies = [
  ['envelope', 'application/json', JSON.stringify(missing)],
  ['detail', 'application/json', '{"detail":"Not found."}'],
  ['list', 'application/json', JSON.stringify([missing])],
  ['html', 'text/html', html],
  ['empty', null, ''],
] as const

test.each(bodies)(
  'the setting errors.body = %s sets the body of an error',
  async (value, type, body) => {
    const client = await start({ settings: { 'errors.body': value } })

    const response = await client.send('GET', `${annotationsPath}999/`)

    expect({
      status: response.status,
      type: response.headers.get('content-type'),
      length: response.headers.get('content-length'),
      body: await response.text(),
    }).toEqual({ status: 404, type, length: String(body.length), body })
  },
)

const detail = 'Method "DELETE" not allowed. Use PATCH with deleted set to true.'
const deletes = [
  ['405', refusal(405, 'invalid_request', 'method_not_allowed', detail)],
  ['405_empty', { status: 405, body: undefined }],
  ['403', forbidden(detail)],
  ['404', notFound()],
] as const

test.each(deletes)(
  'the setting annotations.delete.status = %s sets the response of DELETE',
  async (value, expected) => {
    const { ask, simulator } = await start({ settings: { 'annotations.delete.status': value } })

    expect(await ask('DELETE', `${annotationsPath}1/`)).toEqual(expected)
    expect(await ask('DELETE', `${annotationsPath}999/`)).toEqual(expected)
    expect(simulator.world.annotations.get(1)?.deleted).toBe(false)
  },
)

const challenges = [
  [{}, 401, null],
  [{ 'keys.www_authenticate': 'present' }, 401, 'Bearer realm="api"'],
  [{ 'keys.missing.status': '403' }, 403, null],
  [{ 'keys.missing.status': '403', 'keys.www_authenticate': 'present' }, 403, null],
] as const

test.each(challenges)(
  'with the settings %j a missing or unknown key gets a %i, with WWW-Authenticate: %s',
  async (settings, status, challenge) => {
    const client = await start({ settings })
    const unknown = 'Personal API key found in request Authorization header is invalid.'

    const { headers } = await client.send('GET', annotationsPath, { key: null })
    const forbidden = await client.send('GET', annotationsPath, { key: 'phx_plugins' })

    expect(headers.get('www-authenticate')).toBe(challenge)
    expect(forbidden.headers.get('www-authenticate')).toBe(null)
    expect(await client.ask('GET', annotationsPath, { key: null })).toEqual({
      ...unauthenticated(),
      status,
    })
    expect(await client.ask('GET', annotationsPath, { key: 'phx_nobody' })).toEqual({
      ...unauthenticated(unknown),
      status,
    })
  },
)

test('by setting a 429 has the header Retry-After, in seconds', async () => {
  const client = await start({
    settings: {
      'limits.rate': '480_per_minute',
      'limits.retry_after': 'present',
    },
  })
  spendRequests(client.simulator)
  client.simulator.clock.advance({ seconds: 20.5 })

  const { status, headers } = await client.send('GET', `${annotationsPath}1/`)

  expect([status, headers.get('retry-after')]).toEqual([429, '40'])
})

const visible = [
  ['hidden', notFound(), [5, 4, 1, 3, 8, 2]],
  ['retrievable', { status: 200, body: { id: 6, deleted: true } }, [5, 4, 1, 3, 8, 2]],
  ['listed', { status: 200, body: { id: 6, deleted: true } }, [5, 4, 1, 6, 3, 8, 2]],
] as const

test.each(visible)(
  'the setting annotations.deleted.visibility = %s decides who sees a deleted annotation',
  async (visibility, retrieved, listed) => {
    const { ask } = await start({ settings: { 'annotations.deleted.visibility': visibility } })

    expect(await ask('GET', `${annotationsPath}6/`)).toMatchObject(retrieved)
    expect(ids((await ask('GET', annotationsPath)).body).toSorted()).toEqual(listed.toSorted())
  },
)

test('by setting a deleted annotation can be neither restored nor changed', async () => {
  const { ask, simulator } = await start({ settings: { 'annotations.restore': 'not_found' } })

  expect(await ask('PATCH', `${annotationsPath}1/`, { body: { deleted: true } })).toMatchObject({
    status: 200,
  })
  for (const body of [{ deleted: false }, { content: 'Changed' }, {}])
    expect.soft(await ask('PATCH', `${annotationsPath}1/`, { body })).toEqual(notFound())
  expect(simulator.world.annotations.get(1)).toMatchObject({ deleted: true })
})

test('settings set the default and maximum number of rows on a page', async () => {
  const { ask } = await start({
    settings: {
      'annotations.list.limit.default': 2,
      'projects.list.limit.default': 1,
      'lists.limit.maximum': '100',
    },
  })

  expect(ids((await ask('GET', annotationsPath)).body)).toEqual([5, 4])
  expect(ids((await ask('GET', '/api/projects/')).body)).toEqual([1])
  expect((await ask('GET', `${annotationsPath}?limit=5000&offset=1`)).body).toMatchObject({
    previous: expect.stringMatching(/\?limit=100$/),
  })
})

test('by the setting of July 2024 an annotation has three more fields at its end', async () => {
  const documented = await start({ settings: {} })
  const july = await start({ settings: { 'annotations.fields': 'july_2024' } })

  const before = await documented.ask('GET', `${annotationsPath}1/`)
  const after = await july.ask('GET', `${annotationsPath}1/`)

  const added = { dashboard_id: null, dashboard_name: null, insight_derived_name: null }
  expect(after).toEqual({ status: 200, body: { ...(before.body as object), ...added } })
  expect(Object.keys(after.body as object).slice(-3)).toEqual(Object.keys(added))
})
