import { expect, test } from 'vitest'
import { idsOf } from '../../support/api/page.ts'
import { initech } from '../../support/api/paths.ts'
import { twoOrganizations as world } from '../../support/api/two-organizations.ts'
import { start } from '../../support/transports/start.ts'

test.each([
  ['Ada', { user: 1 }, [1, 2]],
  ['Noor, who is in two organizations', { user: 2 }, [1, 2, 3]],
  ['Noor, limited to one of them', { user: 2, organizations: [initech] }, [3]],
])('a key of %s lists its projects', async (_, fields, ids) => {
  const { ask, simulator } = await start({ world })
  const key = simulator.keys.issue(fields)

  expect(idsOf(await ask('GET', '/api/projects/', { key }))).toEqual(ids)
})
