import { expect, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import type { WorldJson } from '../../../src/world/world-json.ts'
import { annotationBody, annotationRow } from '../../support/api/annotation.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/transports/start.ts'

test('an empty or missing body, of any content type, creates an annotation with default values', async () => {
  const { ask, simulator } = await start({ world: 'empty' })
  const bodies = [{ body: {} }, {}, { headers: { 'content-type': 'text/plain' } }]

  for (const [index, body] of bodies.entries()) {
    const created = { status: 201, body: annotationBody({ id: index + 1 }) }
    expect.soft(await ask('POST', annotationsPath, body)).toEqual(created)
  }
  expect(simulator.world.annotations.count).toBe(3)
})

test('read-only fields and unknown fields are ignored', async () => {
  const { ask, simulator } = await start({ world: 'empty' })
  const body = {
    id: 77,
    insight_short_id: 'Hacked00',
    insight_name: 'Hacked',
    created_by: 2,
    created_at: '2001-01-01T00:00:00Z',
    updated_at: '2001-01-01T00:00:00Z',
    team: 2,
    project: 2,
    organization: 'elsewhere',
    is_emoji: true,
  }

  expect(await ask('POST', annotationsPath, { body })).toEqual({
    status: 201,
    body: annotationBody(),
  })
  expect(await ask('PATCH', `${annotationsPath}1/`, { body })).toEqual({
    status: 200,
    body: annotationBody(),
  })
  expect(simulator.world.annotations.get(1)).toMatchObject({ project: 1, created_by: 1 })
})

test('a response has all fields, in the order of the documented example', async () => {
  const author = {
    id: 7,
    uuid: '018f2b6e-0000-7000-8000-000000000007',
    distinct_id: 'd7',
    first_name: 'Ada',
    last_name: 'L',
    email: 'ada@example.com',
    is_email_verified: true,
    hedgehog_config: { use_as_profile: true, color: 'green', accessories: ['cap'] },
  }
  const row = annotationRow({
    id: 41,
    content: 'Release 1.0',
    date_marker: '2024-06-03T09:00:00Z',
    dashboard_item: 10,
    created_by: 7,
    created_at: '2024-06-03T09:00:01.123456Z',
    updated_at: '2024-06-03T09:00:01.123470Z',
  })
  const client = await start({
    world: {
      ...defaultWorld,
      users: [...defaultWorld.users, { ...author, organizations: [] }],
      annotations: [row],
    } as unknown as WorldJson,
  })
  const insight = { insight_short_id: 'AbCd1234', insight_name: 'Signups' }
  const { project: _, ...own } = row
  const expected = JSON.stringify(annotationBody({ ...own, ...insight, created_by: author }))

  const single = await client.send('GET', `${annotationsPath}41/`)
  const page = await client.send('GET', annotationsPath)

  expect(await single.text()).toBe(expected)
  expect(await page.text()).toBe(`{"count":1,"next":null,"previous":null,"results":[${expected}]}`)
})

test('the name of an insight can be null', async () => {
  const { ask } = await start()

  expect((await ask('GET', `${annotationsPath}8/`)).body).toMatchObject({
    dashboard_item: 11,
    insight_short_id: 'EfGh5678',
    insight_name: null,
  })
})
