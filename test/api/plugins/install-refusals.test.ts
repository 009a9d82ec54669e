import { expect, test } from 'vitest'
import { invalid } from '../../support/api/errors.ts'
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

test('a URL with a trailing slash is another URL, and one without its token is not', async () => {
  const { ask } = await start({ world: 'empty', profile: 'live' })

  const withToken = { body: { url: `${url}?private_token=s3cr3t` } }
  expect(await ask('POST', plugins, withToken)).toMatchObject({ status: 201 })
  expect(await ask('POST', plugins, { body: { url } })).toMatchObject({ status: 400 })
  expect(await ask('POST', plugins, { body: { url: `${url}/` } })).toMatchObject({
    status: 201,
    body: { id: 2, name: 'hello', url: `${url}/` },
  })
})
