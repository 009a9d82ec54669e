import { expect, test } from 'vitest'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const multipart = { 'content-type': 'multipart/form-data; boundary=b' }

test('live, @current stands for project and organization, with or without a trailing slash', async () => {
  const { ask } = await start({ profile: 'live' })

  for (const slash of ['', '/']) {
    for (const path of ['projects/@current/annotations', 'organizations/@current/plugins']) {
      expect(await ask('GET', `/api/${path}${slash}`)).toMatchObject({ status: 200 })
    }
    expect(await ask('GET', `/api/projects/1/annotations/1${slash}`)).toMatchObject({ status: 200 })
  }
})

test('live, a full annotation can be sent back by PUT, and unread fields are ignored', async () => {
  const { ask } = await start({ profile: 'live' })
  const { body } = await ask('GET', `${annotationsPath}1/`)
  const extra = { dateMarker: '2020-01-01', icon: '🦔', dashboard_id: 7 }

  const put = await ask('PUT', `${annotationsPath}1/`, { body: { ...(body as object), ...extra } })

  expect(put).toEqual({
    status: 200,
    body: { ...(body as object), updated_at: expect.any(String) },
  })
})

test('live, bodies can be forms, and times need no zone', async () => {
  const { ask } = await start({ profile: 'live' })
  const expected = {
    status: 201,
    body: { content: 'Release', date_marker: '2024-06-03T09:00:00Z' },
  }
  const parts = [
    ['content', 'Release'],
    ['date_marker', '2024-06-03T09:00:00'],
  ].map(
    ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )

  const pairs = 'content=Release&date_marker=2024-06-03T09:00:00'
  expect(await ask('POST', annotationsPath, { raw: pairs, headers: form })).toMatchObject(expected)
  expect(
    await ask('POST', annotationsPath, { raw: `${parts.join('')}--b--\r\n`, headers: multipart }),
  ).toMatchObject(expected)
})

test('live, a write key reads, limit=500 is allowed, and a DELETE is a 405 that changes nothing', async () => {
  const { ask, simulator } = await start({ profile: 'live' })
  const key = 'phx_annotation_write'

  expect(await ask('GET', `${annotationsPath}?limit=500`, { key })).toMatchObject({
    status: 200,
    body: { count: 6, next: null },
  })
  expect(await ask('DELETE', `${annotationsPath}1/`, { key })).toEqual({
    status: 405,
    body: undefined,
  })
  expect(simulator.world.annotations.get(1)).toMatchObject({ deleted: false })
})
