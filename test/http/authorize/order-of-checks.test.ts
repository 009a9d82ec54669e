import { expect, test } from 'vitest'
import { type Profile, profiles } from '../../../src/settings/profiles.ts'
import { forbidden } from '../../support/api/errors.ts'
import { acme, initech } from '../../support/api/paths.ts'
import { spendRequests } from '../../support/api/rate-limit.ts'
import { twoOrganizations } from '../../support/api/two-organizations.ts'
import { type Started, start } from '../../support/transports/start.ts'
import { rows } from './order-of-checks.table.ts'

/** Starts with keys that fail each check: of an inactive user, without the scope, limited, or throttled. */
async function startWithFailingKeys(profile: Profile): Promise<Started> {
  const client = await start({
    world: twoOrganizations,
    profile,
    settings: { 'limits.rate': '480_per_minute' },
  })
  const { simulator } = client
  simulator.world.users.add({ id: 9, is_active: false, organizations: [acme] })
  simulator.keys.issue({ value: 'inactive', user: 9, scopes: ['plugin:read'] })
  simulator.keys.issue({ value: 'narrow', scopes: ['plugin:read'], projects: [2] })
  simulator.keys.issue({ value: 'project 2', projects: [2] })
  simulator.keys.issue({ value: 'acme', organizations: [acme] })
  simulator.keys.issue({ value: 'spent', scopes: null })
  spendRequests(simulator, 'spent')
  return client
}

test.each(profiles)(
  'in %s a request that fails two checks gets the response of the earlier one',
  async (profile) => {
    const { ask } = await startWithFailingKeys(profile)

    for (const [title, method, path, options, expected] of rows)
      expect.soft(await ask(method, path, options), title).toEqual(expected)
  },
)

test('live, membership is checked before the access level, and the access level before the rate', async () => {
  const { ask, simulator } = await startWithFailingKeys('live')
  const path = (organization: string) => `/api/organizations/${organization}/plugins/`
  simulator.world.organizations.update(acme, { plugins_access_level: 0 })
  simulator.world.organizations.update(initech, { plugins_access_level: 0 })
  const tooLow = forbidden("Your organization's plugin access level is insufficient.")

  expect(await ask('GET', path(initech))).toEqual(
    forbidden('You do not have permission to perform this action.'),
  )
  expect(await ask('GET', path(acme), { key: 'spent' })).toEqual(tooLow)
  expect(await ask('PATCH', path(acme), { key: 'spent' })).toEqual(tooLow)
})
