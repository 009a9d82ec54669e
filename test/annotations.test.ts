import { expect, test } from 'vitest'
import { start } from './support/start.ts'

const list = '/api/projects/1/annotations/'
const ada = {
  id: 1,
  uuid: '018f2b6e-0000-7000-8000-000000000001',
  distinct_id: 'd1',
  first_name: 'Ada',
  last_name: 'Park',
  email: 'ada@example.com',
  is_email_verified: true,
  hedgehog_config: { use_as_profile: true, color: 'green', accessories: ['cap'] },
}

test('an empty body creates an annotation of defaults [§4.2:create] [§4:nothing-required]', async () => {
  const { ask, simulator } = await start({ world: 'empty' })

  const created = await ask('POST', list, { body: {} })

  expect(created).toEqual({
    status: 201,
    body: {
      id: 1,
      content: null,
      date_marker: null,
      creation_type: 'USR',
      dashboard_item: null,
      insight_short_id: null,
      insight_name: null,
      created_by: ada,
      created_at: '2024-06-15T12:00:00Z',
      updated_at: '2024-06-15T12:00:00Z',
      deleted: false,
      scope: 'dashboard_item',
    },
  })
  expect(simulator.world.annotations.count).toBe(1)
})
