import { expect, test } from 'vitest'
import { crashed, invalid } from '../../support/api/errors.ts'
import { plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

const url = 'https://github.com/acme/hello'

const strangers = [
  'hello',
  'https://example.com/acme/hello',
  'https://github.com/acme',
  'https://github.com/acme/hello/issues',
  'https://github.com.example.com/acme/hello',
  'ftp://github.com/acme/hello',
  'https://gitlab.com/hello',
  'https://gitlab.com/acme/hello/-/issues',
  'https://www.npmjs.com/hello',
  '?private_token=s3cr3t',
] as const

test.each(strangers)('a plugin cannot be installed from %s', async (stranger) => {
  const { ask, simulator } = await start({ world: 'empty', profile: 'live' })

  const response = await ask('POST', plugins, { body: { url: stranger } })

  const detail = 'Must be a GitHub/GitLab repository or a npm package URL!'
  expect(response).toEqual(invalid(null, 'invalid_input', detail))
  expect(simulator.world.counts).toMatchObject({ plugins: 0, activity: 0 })
})

test('a URL is installed once, whatever its query, its plugin_type and is_global', async () => {
  const { ask, simulator } = await start({ world: 'empty', profile: 'live' })
  const bodies = [
    { url },
    { url: `${url}-b?private_token=123` },
    { url: `${url}-c`, plugin_type: 'source', name: 'Hello' },
    { url: `${url}-d`, is_global: true },
  ]
  for (const body of bodies) expect.soft((await ask('POST', plugins, { body })).status).toBe(201)

  for (const body of bodies) {
    const [shown] = body.url.split('?')
    const refusal = invalid(null, 'invalid_input', `Plugin from URL "${shown}" already installed!`)
    for (const again of [shown, `${shown}?private_token=456`, `${shown}?`]) {
      expect.soft(await ask('POST', plugins, { body: { url: again } }), again).toEqual(refusal)
      const same = { ...body, url: again }
      expect.soft(await ask('POST', plugins, { body: same }), again).toEqual(refusal)
    }
  }
  expect(simulator.world.counts).toMatchObject({ plugins: 4, activity: 4 })
})

test('a URL with a trailing slash is another URL', async () => {
  const { ask } = await start({ world: 'empty', profile: 'live' })

  expect(await ask('POST', plugins, { body: { url } })).toMatchObject({ status: 201 })
  expect(await ask('POST', plugins, { body: { url: `${url}/` } })).toMatchObject({
    status: 201,
    body: { id: 2, name: 'hello', url: `${url}/` },
  })
})

const withoutUrl = [
  {},
  { name: 'Hello' },
  { url: null },
  { url: '' },
  { plugin_type: 'local' },
  { plugin_type: 'custom', name: 'Hello' },
]

test.each(withoutUrl)('%o without a URL responds with 500', async (body) => {
  const { ask, simulator } = await start({ world: 'empty', profile: 'live' })

  expect(await ask('POST', plugins, { body })).toEqual(crashed())
  expect(simulator.world.counts).toMatchObject({ plugins: 0, activity: 0 })
})

test('fields are validated before a plugin is installed', async () => {
  const { ask } = await start({ world: 'empty', profile: 'live' })

  expect(await ask('POST', plugins, { body: { url: ['x'], icon: [] } })).toEqual(
    invalid('url', 'invalid_input', 'Not a valid string.'),
  )
  expect(await ask('POST', plugins, { body: { url, is_global: 'maybe' } })).toEqual(
    invalid('is_global', 'invalid_input', 'Must be a valid boolean.'),
  )
})
