import { expect, test } from 'vitest'
import { profiles } from '../../../src/settings/profiles.ts'
import { notFound, refusal } from '../../support/api/errors.ts'
import { idsOf } from '../../support/api/page.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/transports/start.ts'

const anyId = [1, 6, 7, 999, 'abc'] as const

test('in the documented profile DELETE is refused for any id, and the error recommends PATCH', async () => {
  const client = await start()
  const before = client.simulator.world.annotations.list()
  const detail = 'Method "DELETE" not allowed. Use PATCH with deleted set to true.'

  for (const id of anyId) {
    const response = await client.ask('DELETE', `${annotationsPath}${id}/`)
    expect.soft(response).toEqual(refusal(405, 'invalid_request', 'method_not_allowed', detail))
  }

  const { headers } = await client.send('DELETE', `${annotationsPath}1/`)
  expect(headers.get('allow')).toBe('GET, PATCH, HEAD, OPTIONS')
  expect(client.simulator.world.annotations.list()).toEqual(before)
})

test('in the live profile DELETE is refused for any id, without a body or a content type', async () => {
  const client = await start({ profile: 'live' })
  const before = client.simulator.world.annotations.list()

  for (const id of anyId) {
    const response = await client.send('DELETE', `${annotationsPath}${id}/`)
    const { headers } = response
    expect
      .soft({
        status: response.status,
        type: headers.get('content-type'),
        length: headers.get('content-length'),
        allow: headers.get('allow'),
        text: await response.text(),
      })
      .toEqual({
        status: 405,
        type: null,
        length: '0',
        allow: 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS',
        text: '',
      })
  }

  expect(client.simulator.world.annotations.list()).toEqual(before)
})

test.each(profiles)(
  'in the %s profile a soft-deleted annotation is neither listed nor retrieved, and its row stays',
  async (profile) => {
    const { ask, simulator } = await start({ profile })
    const { body: before } = await ask('GET', `${annotationsPath}1/`)

    const deleted = await ask('PATCH', `${annotationsPath}1/`, { body: { deleted: true } })

    const body = { ...(before as object), deleted: true, updated_at: '2024-06-15T12:00:00Z' }
    expect(deleted).toEqual({ status: 200, body })
    expect(await ask('GET', `${annotationsPath}1/`)).toEqual(notFound())
    expect(await ask('GET', annotationsPath)).toMatchObject({ body: { count: 5 } })
    expect(idsOf(await ask('GET', annotationsPath))).toEqual([5, 4, 3, 8, 2])
    expect(simulator.world.annotations.get(1)).toMatchObject({
      deleted: true,
      content: 'Release 1.0',
    })
  },
)
