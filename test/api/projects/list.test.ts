import { expect, test } from 'vitest'
import { idsOf } from '../../support/api/page.ts'
import { acme, initech } from '../../support/api/paths.ts'
import { twoOrganizations as world } from '../../support/api/two-organizations.ts'
import { start } from '../../support/transports/start.ts'

const path = '/api/projects/'

test('the list has all projects of the organizations of the user, and no others', async () => {
  const { ask, simulator } = await start({ world })

  expect(idsOf(await ask('GET', path))).toEqual([1, 2])
  expect(idsOf(await ask('GET', path, { key: 'phx_noor' }))).toEqual([1, 2, 3])

  const key = simulator.keys.issue({ user: 2, organizations: [acme, initech] })
  expect(idsOf(await ask('GET', path, { key }))).toEqual([1, 2, 3])

  simulator.world.projects.add({ id: 7, organization: initech, name: 'Newest' })
  expect(idsOf(await ask('GET', path, { key: 'phx_noor' }))).toEqual([1, 2, 3, 7])

  simulator.world.users.update(2, { organizations: [initech] })
  expect(idsOf(await ask('GET', path, { key: 'phx_noor' }))).toEqual([3, 7])

  simulator.world.users.update(2, { organizations: [] })
  expect(await ask('GET', path, { key: 'phx_noor' })).toEqual({
    status: 200,
    body: { count: 0, next: null, previous: null, results: [] },
  })
})
