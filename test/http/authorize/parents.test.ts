import { expect, test } from 'vitest'
import {
  forbidden,
  notAllowed,
  notFound,
  refusal,
  unauthenticated,
} from '../../support/api/errors.ts'
import { idsOf } from '../../support/api/page.ts'
import { acme, annotationsPath, initech } from '../../support/api/paths.ts'
import { twoOrganizations as world } from '../../support/api/two-organizations.ts'
import { start } from '../../support/lanes/start.ts'

const plugins = (organization: string) => `/api/organizations/${organization}/plugins/`
const annotations = (project: number | string) => `/api/projects/${project}/annotations/`
const bad = { raw: '{bad', headers: { 'content-type': 'application/json' } }
const badJson = refusal(
  400,
  'invalid_request',
  'parse_error',
  'JSON parse error - Expecting property name enclosed in double quotes: line 1 column 2 (char 1)',
)
const form = (raw: string) => ({
  raw,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})
const noScope = forbidden("API key missing required scope 'annotation:write'")
const noToken = unauthenticated('Incorrect authentication credentials.')

test('a limited key is checked against its limits before its scope, and after the existence of the parent', async () => {
  const { ask, simulator } = await start({ world, profile: 'live' })
  const narrow = simulator.keys.issue({ scopes: ['annotation:read'], projects: [1] })
  const organizations = simulator.keys.issue({ scopes: ['plugin:read'], organizations: [acme] })
  const post = (project: number) => ask('POST', annotations(project), { key: narrow, body: {} })

  expect(await post(2)).toEqual(
    forbidden('API key does not have access to the requested project: ID 2.'),
  )
  expect(await post(99)).toEqual(notFound('Project not found.'))
  expect(await post(1)).toEqual(noScope)
  const unknown = plugins('018f2b6e-0000-7000-8000-0000000000ff')
  expect(await ask('GET', unknown, { key: organizations })).toEqual(
    notFound('Organization not found.'),
  )
  expect(await ask('GET', '/api/projects/', { key: narrow })).toEqual(
    forbidden('API keys with scoped projects are only supported on project-based endpoints.'),
  )
})

test('live, a known project token replaces the project of the path, and an unknown one is refused', async () => {
  const { ask, simulator } = await start({ world, profile: 'live' })
  const api_token = simulator.world.projects.get(2)?.api_token
  const second = idsOf(await ask('GET', annotations(2)))

  for (const name of ['token', 'api_key']) {
    expect(idsOf(await ask('GET', `${annotationsPath}?${name}=${api_token}`))).toEqual(second)
    expect(await ask('GET', `${annotations(99)}?${name}=${api_token}`)).toMatchObject({
      status: 200,
    })
    expect(await ask('GET', `${annotationsPath}?${name}=x`)).toEqual(noToken)
    expect(await ask('GET', `${plugins(acme)}?${name}=x`)).toEqual(noToken)
    expect(await ask('POST', plugins(acme), form(`${name}=x`))).toEqual(noToken)
    expect(await ask('POST', annotationsPath, form(`${name}=x`))).toEqual(noToken)
    const { body } = await ask('POST', annotationsPath, form(`${name}=${api_token}`))
    const { id } = body as { id: number }
    expect(simulator.world.annotations.get(id)).toMatchObject({ project: 2 })
    simulator.world.annotations.delete(id)
  }
  expect(await ask('GET', `${annotationsPath}?token=`)).toMatchObject({ body: { count: 6 } })
  expect(await ask('GET', `${annotationsPath}?token=x&api_key=${api_token}`)).toEqual(noToken)
  expect(await ask('POST', annotationsPath, form(`token=x&api_key=${api_token}`))).toMatchObject({
    status: 201,
  })
})

test('live, only the query of a GET and a form can have a project token', async () => {
  const client = await start({ world, profile: 'live' })
  const query = `${annotationsPath}?token=x`

  expect((await client.send('HEAD', query)).status).toBe(200)
  expect((await client.ask('POST', query, { body: { token: 'x', api_key: 'x' } })).status).toBe(201)
  expect((await client.ask('GET', '/api/projects/?token=x')).status).toBe(200)
})

test('in the documented profile a project token is not read', async () => {
  const { ask } = await start({ world })

  expect(await ask('GET', `${annotationsPath}?token=x`)).toMatchObject({ status: 200 })
})

test.each(['documented', 'live'] as const)(
  'in %s a malformed body is refused whatever the method, and nothing changes',
  async (profile) => {
    const { ask, simulator } = await start({ world, profile })
    const before = simulator.world.toJSON()
    const text = { raw: 'x', headers: { 'content-type': 'text/plain' } }

    for (const [method, path] of [
      ['DELETE', `${annotationsPath}1/`],
      ['DELETE', `${plugins(acme)}21/`],
      ['PATCH', `${annotationsPath}999/`],
      ['PATCH', annotationsPath],
      ['POST', annotations(999)],
      ['POST', annotations(3)],
      ['POST', plugins(initech)],
      ['OPTIONS', annotationsPath],
    ] as const) {
      expect(await ask(method, path, bad), `${method} ${path}`).toEqual(badJson)
      expect((await ask(method, path, text)).status, `${method} ${path}`).toBe(415)
    }
    expect(simulator.world.toJSON()).toEqual(before)
  },
)

test('live, PATCH on a list requires the write scope, then responds with 405', async () => {
  const { ask } = await start({ profile: 'live' })

  expect(await ask('PATCH', annotationsPath, { key: 'phx_annotation_read', body: {} })).toEqual(
    noScope,
  )
  expect(await ask('PATCH', plugins(acme), { key: 'phx_plugin_read', body: {} })).toEqual(
    forbidden("API key missing required scope 'plugin:write'"),
  )
  expect(await ask('PATCH', plugins(acme), { key: 'phx_plugin_write', body: {} })).toEqual(
    notAllowed('PATCH'),
  )
  for (const key of ['phx_annotation_write', 'phx_all', 'phx_old']) {
    expect(await ask('PATCH', annotationsPath, { key, body: {} })).toEqual(notAllowed('PATCH'))
  }
})

test('live, a global plugin is retrieved through any organization, by any key with the scope', async () => {
  const { ask, simulator } = await start({ world, profile: 'live' })
  simulator.world.plugins.create({ id: 90, organization: initech, is_global: true })
  simulator.world.plugins.create({ id: 91, organization: initech, is_global: false })
  const notMember = forbidden()

  for (const method of ['GET', 'HEAD']) {
    expect((await ask(method, `${plugins(initech)}90/`)).status).toBe(200)
    expect((await ask(method, `${plugins(initech)}91/`)).status).toBe(403)
  }
  expect(await ask('GET', `${plugins(initech)}91/`)).toEqual(notMember)
  expect(await ask('GET', plugins(initech))).toEqual(notMember)
  expect(await ask('GET', `${plugins(initech)}x/`)).toEqual(notMember)
  expect(await ask('PATCH', `${plugins(initech)}90/`, { body: {} })).toEqual(notMember)
  expect(await ask('GET', `${plugins(initech)}90/`, { key: 'phx_annotations' })).toEqual(
    forbidden("API key missing required scope 'plugin:read'"),
  )
  expect(await ask('GET', `${plugins('018f2b6e-0000-7000-8000-0000000000ff')}90/`)).toEqual(
    notFound('Organization not found.'),
  )
  simulator.world.organizations.update(initech, { plugins_access_level: 0 })
  expect(await ask('GET', `${plugins(initech)}90/`)).toEqual(
    forbidden("Your organization's plugin access level is insufficient."),
  )
  simulator.settings.set({ 'plugins.global.visibility': 'own_organization' })
  expect(await ask('GET', `${plugins(initech)}90/`)).toEqual(notMember)
})
