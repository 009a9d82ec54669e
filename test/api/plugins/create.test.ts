import { expect, test } from 'vitest'
import { plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

const locations = [
  [{}, 'None'],
  [{ url: 'https://github.com/a/b?private_token=x#x' }, 'https://github.com/a/b'],
  [
    { url: 'https://example.com/é 🦔%20\r\nx: y' },
    'https://example.com/%C3%A9%20%F0%9F%A6%94%20%0D%0Ax:%20y',
  ],
  [{ url: '?x' }, ''],
] as const

test.each(locations)('live, the response to %j has the Location %s', async (fields, location) => {
  const client = await start({ world: 'empty', profile: 'live' })

  const body = { plugin_type: 'source', ...fields }
  const created = await client.send('POST', plugins, { body })
  const changed = await client.send('PATCH', `${plugins}1/`, { body: {} })

  expect([created.status, created.headers.get('location')]).toEqual([201, location])
  expect([changed.status, changed.headers.get('location')]).toEqual([200, null])
})
