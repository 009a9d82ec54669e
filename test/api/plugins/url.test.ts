import { expect, test } from 'vitest'
import { invalid } from '../../support/api/errors.ts'
import { bare, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

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
