import { expect, test } from 'vitest'
import { unsupported } from '../../support/api/errors.ts'
import { idsOf } from '../../support/api/page.ts'
import { acme, initech } from '../../support/api/paths.ts'
import { twoOrganizations as world } from '../../support/api/two-organizations.ts'
import { start } from '../../support/transports/start.ts'

const path = '/api/projects/'
const made = {
  completed_snippet_onboarding: true,
  has_completed_onboarding_for: null,
  ingested_event: true,
  is_demo: false,
  timezone: 'UTC',
  access_control: false,
}

test('the list is a page of projects, with their fields in the order of the live service', async () => {
  const client = await start()

  const response = await client.send('GET', path)

  const uuid = '018f2b6e-0000-7000-8000-00000000010'
  const shop = { id: 1, uuid: `${uuid}1`, organization: acme, api_token: 'phc_web_shop' }
  const app = { id: 2, uuid: `${uuid}2`, organization: acme, api_token: 'phc_mobile_app' }
  expect(response.status).toBe(200)
  expect(await response.text()).toBe(
    JSON.stringify({
      count: 2,
      next: null,
      previous: null,
      results: [
        { ...shop, name: 'Web shop', ...made },
        { ...app, name: 'Mobile app', ...made },
      ],
    }),
  )
})

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

test('by setting listing projects refuses every key with scopes, as in February 2024', async () => {
  const { ask } = await start({ settings: { 'projects.list.scope': 'refused' } })

  expect(await ask('GET', path)).toEqual(unsupported())
  expect(await ask('GET', path, { key: 'phx_old' })).toMatchObject({ status: 200 })
})
