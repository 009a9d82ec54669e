import { expect, test } from 'vitest'
import type { Profile } from '../../../src/policies/settings.ts'
import { forbidden } from '../../support/api/errors.ts'
import { acme, initech, twoOrganizations } from '../../support/api/two-organizations.ts'
import { type Started, start } from '../../support/lanes/start.ts'
import { malformed, noKey, noRead, noWrite, rows, untyped } from './order-of-checks.table.ts'

const list = '/api/projects/1/annotations/'
const profiles = ['documented', 'live'] as const

/** A world with a key for each fault: of nobody active, of little scope, limited, and one to be used up. */
async function startOrdered(profile: Profile): Promise<Started> {
  const client = await start({
    world: twoOrganizations,
    profile,
    policies: { 'limits.rate': 'observed' },
  })
  const { simulator } = client
  simulator.world.users.create({ id: 9, is_active: false, organizations: [acme] })
  simulator.keys.issue({ value: 'inactive', user: 9, scopes: ['plugin:read'] })
  simulator.keys.issue({ value: 'narrow', scopes: ['plugin:read'], projects: [2] })
  simulator.keys.issue({ value: 'project 2', projects: [2] })
  simulator.keys.issue({ value: 'acme', organizations: [acme] })
  simulator.keys.issue({ value: 'spent', scopes: null })
  return client
}

/** Uses up what the key may send in a minute. */
async function spend({ simulator }: Started): Promise<void> {
  for (let count = 0; count < 480; count++) {
    await simulator.fetch(`${list}1/`, { headers: { authorization: 'Bearer spent' } })
  }
}

test.each(rows)(
  'of two faults the earlier check tells: %s [§1:order]',
  async (_, method, path, asked, earlier) => {
    for (const profile of profiles) {
      const client = await startOrdered(profile)
      if (asked.key === 'spent') await spend(client)
      expect(await client.ask(method, path, asked), profile).toEqual(earlier)
    }
  },
)

test('a key without the scope learns nothing of projects [§1:note-a]', async () => {
  const { ask } = await start({ world: twoOrganizations })

  for (const project of ['1', '3', '999', 'mine']) {
    const path = `/api/projects/${project}/annotations/`
    expect(await ask('GET', path, { key: 'phx_plugins' })).toEqual(noRead)
  }
})

test('with a key in the header the body is not read before the scope [§1:note-b]', async () => {
  for (const profile of profiles) {
    const { ask } = await start({ profile })
    const key = 'phx_annotation_read'
    for (const asked of [
      malformed,
      untyped,
      { raw: '{', headers: { 'content-type': 'multipart/form-data' } },
    ]) {
      expect(await ask('POST', list, { key, ...asked })).toEqual(noWrite)
      expect(await ask('POST', list, { key: 'phx_nobody', ...asked })).toEqual(noKey)
    }
  }
})

test('live, membership is asked before the access level, and that before the rate [§1:order] [§1:access-level]', async () => {
  const client = await startOrdered('live')
  const { ask, simulator } = client
  await spend(client)
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
