import { expect, test } from 'vitest'
import { forbidden, notFound } from '../../support/api/errors.ts'
import { initech } from '../../support/api/paths.ts'
import { twoOrganizations as world } from '../../support/api/two-organizations.ts'
import { start } from '../../support/transports/start.ts'

const plugins = (organization: string) => `/api/organizations/${organization}/plugins/`

test('live, a global plugin is retrieved through any organization, by any key with the scope', async () => {
  const { ask, simulator } = await start({ world, profile: 'live' })
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
