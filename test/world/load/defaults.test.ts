import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'

const acme = '01900000-0000-7000-8000-000000000001'

test('fields that a world file leaves out have defaults', () => {
  const { world } = createSimulator({
    world: {
      $schema: 'x',
      format_version: 1,
      organizations: [{ id: acme, name: 'Acme' }],
      projects: [{ id: 4, organization: acme }],
      users: [],
      annotations: [],
    } as never,
  })

  expect(world.toJSON()).toMatchObject({
    organizations: [{ id: acme, name: 'Acme', plugins_access_level: 9 }],
    projects: [
      {
        id: 4,
        organization: acme,
        name: 'Project 4',
        uuid: expect.stringMatching(/^[0-9a-f-]{35}4$/),
        api_token: 'phc_project_4',
        timezone: 'UTC',
        completed_snippet_onboarding: false,
        has_completed_onboarding_for: null,
        ingested_event: false,
        is_demo: false,
        access_control: false,
      },
    ],
  })
})

test('a world without a format version has version 1', () => {
  expect(createSimulator({ world: {} }).world.toJSON().format_version).toBe(1)
})
