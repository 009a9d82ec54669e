import { expect, test } from 'vitest'
import { profiles } from '../../src/settings/profiles.ts'
import { notAcceptable, notAllowed, notFound } from '../support/api/errors.ts'
import { acme, annotationsPath } from '../support/api/paths.ts'
import { start } from '../support/transports/start.ts'

const unknown = '/api/projects/1/annotation/'
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

test.each(profiles)('in %s an unknown path names all methods', async (profile) => {
  const client = await start({ profile })

  for (const method of [...methods, 'PROPFIND']) {
    const raw = method === 'GET' || method === 'HEAD' ? {} : { raw: '{bad' }
    const { headers } = await client.send(method, unknown, { key: null, ...raw })
    expect.soft(headers.get('allow'), method).toBe(methods.join(', '))
  }
  for (const method of ['GET', 'POST', 'DELETE']) {
    expect
      .soft(await client.ask(method, unknown, { key: null }))
      .toEqual(notFound('Endpoint not found.'))
  }
  expect.soft(await client.ask('OPTIONS', unknown, { key: null })).toEqual({ status: 200 })
  expect.soft(await client.ask('PROPFIND', unknown)).toEqual(notAllowed('PROPFIND'))
})

test.each(profiles)(
  'in %s an unknown path checks the Accept header and the format, but no key',
  async (profile) => {
    const { ask } = await start({ profile })
    const headers = { accept: 'text/html' }

    for (const method of ['GET', 'OPTIONS', 'PROPFIND']) {
      expect.soft(await ask(method, unknown, { key: null, headers })).toEqual(notAcceptable())
      expect.soft(await ask(method, `${unknown}?format=xml`, { key: null })).toEqual(notFound())
    }
  },
)

test.each(profiles)('in %s a path is percent-decoded before it is routed', async (profile) => {
  const { ask } = await start({ profile })
  const list = await ask('GET', annotationsPath)

  expect(await ask('GET', annotationsPath.replace(/\/$/, '%2F'))).toEqual(list)
  expect(await ask('GET', '/api/projects/1%2Fannotations')).toEqual(list)
  expect(await ask('GET', '/api/projects/1/%61nnotations')).toEqual(list)
  expect(await ask('GET', `${annotationsPath}1%3Fx/`)).toEqual(notFound())
  expect(await ask('GET', `${annotationsPath}1%252F2/`)).toEqual(notFound())
  expect(await ask('GET', `${annotationsPath}%zz/`)).toEqual(notFound())
})

const uuids = [
  acme.toUpperCase(),
  acme.replaceAll('-', ''),
  `{${acme}}`,
  `urn:uuid:${acme}`,
  `{{${acme}}}`,
  `urn:uuid:{${acme.toUpperCase().replaceAll('-', '')}}`,
] as const

test.each(uuids)('the organization id %s is read as a UUID', async (id) => {
  const { ask } = await start()
  const plugins = (organization: string) => `/api/organizations/${organization}/plugins/`

  const listed = await ask('GET', plugins(encodeURIComponent(id)))

  expect(listed.status).toBe(200)
  expect(listed).toEqual(await ask('GET', plugins(acme)))
  expect(await ask('GET', plugins(`${acme}0`))).toEqual(notFound('Organization not found.'))
  expect(await ask('GET', plugins(acme.replace('a', 'g')))).toEqual(
    notFound('Organization not found.'),
  )
})

test('the last word of a path is no id of a row, and before another word it is the id of none', async () => {
  const { ask } = await start()

  expect((await ask('GET', `/api/organizations/${acme}/plugins/unused/`)).status).toBe(200)
  expect(await ask('GET', `/api/organizations/${acme}/plugins/unused/source/`)).toEqual(notFound())
})
