import { expect, test } from 'vitest'
import { invalid } from '../../support/api/errors.ts'
import { bare, plugins } from '../../support/api/plugins.ts'
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

test('url has at most 800 characters if it is read', async () => {
  const { ask } = await start({ world: 'empty', profile: 'live' })
  const start800 = 'https://github.com/acme/'
  const fits = `${start800}${'x'.repeat(800 - start800.length)}`
  const source = (url: string) => ({ body: { plugin_type: 'source', url } })

  expect(await ask('POST', plugins, source(`${fits}x`))).toEqual(
    invalid('url', 'max_length', 'Ensure this field has no more than 800 characters.'),
  )
  expect(await ask('POST', plugins, source(fits))).toEqual({
    status: 201,
    body: { ...bare, plugin_type: 'source', url: fits },
  })
})
