import { expect, test } from 'vitest'
import { forbidden, invalidKey, notFound, refusal, unauthenticated } from '../support/api/errors.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { start } from '../support/transports/start.ts'

// Values that neither profile uses. test/every/setting.test.ts checks that each value of each setting has an effect.
const ids = (body: unknown) => (body as { results: { id: number }[] }).results.map(({ id }) => id)

const html = '<html><head><title>404</title></head><body><h1>404</h1></body></html>'
const bodies: readonly [string, string | null, (error: { detail: string }) => string][] = [
  ['envelope', 'application/json', (error) => JSON.stringify(error)],
  ['detail', 'application/json', ({ detail }) => JSON.stringify({ detail })],
  ['list', 'application/json', (error) => JSON.stringify([error])],
  ['html', 'text/html', () => html],
  ['empty', null, () => ''],
]

test.each(bodies)(
  'the setting errors.body = %s sets the body of an error',
  async (value, type, show) => {
    const client = await start({ settings: { 'errors.body': value as 'html' } })

    for (const [id, reply] of [
      ['999', notFound()],
      ['1/2', notFound('Endpoint not found.')],
    ] as const) {
      const response = await client.send('GET', `${annotationsPath}${id}/`)
      const body = show(reply.body as never)
      const { status, headers } = response
      expect
        .soft([status, headers.get('content-type'), headers.get('content-length')])
        .toEqual([404, type, String(body.length)])
      expect.soft(await response.text()).toBe(body)
    }
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

    const { headers } = await client.send('GET', annotationsPath, { key: null })
    const forbidden = await client.send('GET', annotationsPath, { key: 'phx_plugins' })

    expect(headers.get('www-authenticate')).toBe(challenge)
    expect(forbidden.headers.get('www-authenticate')).toBe(null)
    expect(await client.ask('GET', annotationsPath, { key: null })).toEqual({
      ...unauthenticated(),
      status,
    })
    expect(await client.ask('GET', annotationsPath, { key: 'phx_nobody' })).toEqual({
      ...invalidKey(),
      status,
    })
  },
)

const visible = [
  ['hidden', notFound(), [1, 2, 3, 4, 5, 8]],
  ['retrievable', { status: 200, body: { id: 6, deleted: true } }, [1, 2, 3, 4, 5, 8]],
  ['listed', { status: 200, body: { id: 6, deleted: true } }, [1, 2, 3, 4, 5, 6, 8, 9]],
] as [string, object, number[]][]

test.each(visible)(
  'the setting annotations.deleted.visibility = %s decides who sees a deleted annotation',
  async (visibility, retrieved, listed) => {
    const { ask, simulator } = await start({
      settings: { 'annotations.deleted.visibility': visibility },
    })
    simulator.world.annotations.add({ scope: 'organization', deleted: true })

    expect(await ask('GET', `${annotationsPath}6/`)).toMatchObject(retrieved)
    expect(ids((await ask('GET', annotationsPath)).body).toSorted()).toEqual(listed)
    const other = await ask('GET', '/api/projects/2/annotations/')
    expect(ids(other.body).includes(9)).toBe(listed.includes(9))
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
