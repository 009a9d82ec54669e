import { expect, test } from 'vitest'
import { forbidden, invalid, notFound } from '../../support/api/errors.ts'
import { acme, annotationsPath, initech } from '../../support/api/paths.ts'
import { twoOrganizations } from '../../support/api/two-organizations.ts'
import { start } from '../../support/transports/start.ts'

const settings = { 'keys.insufficient.status': 404 } as const

/** Requests whose key lacks the scope, is limited to other rows, or belongs to a user without access. */
const forbiddenRequests = [
  ['phx_plugins', annotationsPath, "API key missing required scope 'annotation:read'"],
  [
    'phx_project_1',
    '/api/projects/2/annotations/',
    'API key does not have access to the requested project: ID 2.',
  ],
  [
    'phx_project_1',
    '/api/projects/',
    'API keys with scoped projects are only supported on project-based endpoints.',
  ],
  [
    'phx_initech',
    annotationsPath,
    `API key does not have access to the requested organization: ID ${acme}.`,
  ],
  ['phx_all', '/api/projects/3/annotations/', "You don't have access to the project."],
  [
    'phx_all',
    `/api/organizations/${initech}/plugins/`,
    'You do not have permission to perform this action.',
  ],
] as const

const world = {
  ...twoOrganizations,
  keys: [
    ...(twoOrganizations.keys ?? []),
    { value: 'phx_initech', user: 2, scopes: ['*'], organizations: [initech] },
  ],
}

test.each(forbiddenRequests)(
  '%s at %s gets a 403 with the reason, or by setting a 404',
  async (key, path, detail) => {
    const { ask } = await start({ world })
    const withSetting = await start({ world, settings })

    expect(await ask('GET', path, { key })).toEqual(forbidden(detail))
    expect(await withSetting.ask('GET', path, { key })).toEqual(notFound())
  },
)

test('the setting does not hide refusals for other reasons than the key', async () => {
  const { ask, simulator } = await start({
    world: twoOrganizations,
    settings: {
      ...settings,
      'annotations.delete.status': 403,
      'plugins.access_level': 'enforced',
      'plugins.global.visibility': 'every_organization',
    },
  })
  const plugins = (organization: string) => `/api/organizations/${organization}/plugins/`
  const key = 'phx_noor'
  simulator.world.organizations.update(initech, { plugins_access_level: 3 })
  simulator.world.plugins.add({ id: 90, organization: initech, is_global: true })

  expect(await ask('DELETE', `${annotationsPath}1/`)).toMatchObject({
    status: 403,
    body: { code: 'permission_denied' },
  })
  expect(await ask('POST', plugins(initech), { key, body: {} })).toEqual(
    forbidden("Your organization's plugin access level is insufficient."),
  )
  expect(await ask('PATCH', `${plugins(acme)}90/`, { key, body: {} })).toEqual(
    forbidden('This plugin installation is managed by another organization'),
  )
  expect(await ask('POST', annotationsPath, { body: { deleted: 'maybe' } })).toEqual(
    invalid('deleted', 'invalid_input', 'Must be a valid boolean.'),
  )
})

const plugins = (organization: string) => `/api/organizations/${organization}/plugins/`

test('live, a global plugin is retrieved through any organization, by any key with the scope', async () => {
  const { ask, simulator } = await start({ world: twoOrganizations, profile: 'live' })
  simulator.world.plugins.add({ id: 90, organization: initech, is_global: true })
  simulator.world.plugins.add({ id: 91, organization: initech, is_global: false })
  const notMember = forbidden()

  for (const method of ['GET', 'HEAD']) {
    expect.soft((await ask(method, `${plugins(initech)}9_0/`)).status).toBe(200)
    expect.soft((await ask(method, `${plugins(initech)}91/`)).status).toBe(403)
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
