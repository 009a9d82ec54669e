import { expect, test } from 'vitest'
import type { WorldJson } from '../../src/index.ts'
import { acme, initech } from '../support/api/paths.ts'
import { elsewhere } from '../support/api/plugins.ts'
import {
  createPage,
  createRow,
  createTraffic,
  type TrafficInput,
} from '../support/scenarios/traffic.ts'
import { scenarioFromTraffic, scenarioOf } from './derive.ts'

/** The organization of projects that a key could not use. */
const other = '00000000-0000-4000-8000-000000000002'

const refused = (detail: string, status = 403): TrafficInput => ({
  status,
  received: { type: 'authentication_error', code: 'permission_denied', detail, attr: null },
})
const listOf = (project: number, bearer: string): TrafficInput => ({
  url: `/api/projects/${project}/annotations/`,
  bearer,
  received: createPage(),
})

/** Derives the accounts of the world. */
async function accountsOf(...inputs: readonly TrafficInput[]) {
  const { scenario } = await scenarioOf(...inputs)
  const { organizations, projects, users, keys } = scenario.world as WorldJson
  return { organizations, projects, users, keys }
}

test('a project that one key cannot use is in an organization that only the user of the other key has', async () => {
  expect(
    await accountsOf(
      {
        url: '/api/projects/',
        bearer: 'one',
        received: createPage({ id: 1, organization: acme, name: 'Web' }),
      },
      {
        method: 'POST',
        bearer: 'one',
        sent: { content: 'New' },
        status: 201,
        received: createRow(9, 'New'),
      },
      listOf(1, 'one'),
      { ...listOf(3, 'one'), ...refused("You don't have access to the project.") },
      { ...listOf(3, 'two'), received: createPage(createRow(5, 'Of the other one')) },
      { ...listOf(99, 'two'), ...refused('Project not found.', 404) },
      { url: elsewhere, bearer: 'two', ...refused('Organization not found.', 404) },
    ),
  ).toEqual({
    organizations: [
      { id: acme, name: `Organization ${acme}` },
      { id: other, name: 'Other organization' },
    ],
    projects: [
      { id: 1, organization: acme, name: 'Web' },
      { id: 3, organization: other },
    ],
    users: [
      expect.objectContaining({ id: 7, is_email_verified: true, organizations: [acme] }),
      expect.objectContaining({ id: 8, is_email_verified: null, organizations: [acme, other] }),
    ],
    keys: [
      { value: 'replaced-key-1', label: 'key-1', user: 7, scopes: ['*'] },
      { value: 'replaced-key-2', label: 'key-2', user: 8, scopes: ['*'] },
    ],
  })
})

test('the user of a key is in no organization that refused the key', async () => {
  const { users } = await accountsOf(listOf(1, 'one'), {
    ...{ url: `/api/organizations/${acme}/plugins/`, bearer: 'one' },
    ...refused('You do not have permission to perform this action.'),
  })

  expect(users?.flatMap(({ organizations }) => organizations)).not.toContain(acme)
})

const install: TrafficInput = { method: 'POST', sent: { name: 'Export' } }

test.each<[level: number, title: string, ...inputs: TrafficInput[]]>([
  [0, 'cannot read plugins', {}],
  [0, 'cannot read plugins, nor install them', {}, install],
  [3, 'cannot install plugins', install],
])('an organization of the level %i %s', async (level, _title, ...inputs) => {
  const url = `/api/organizations/${acme}/plugins/`
  const refusal = refused("Your organization's plugin access level is insufficient.")

  const { organizations } = await accountsOf(
    ...inputs.map((input) => ({ url, ...input, ...refusal })),
    { url: elsewhere, received: createPage() },
  )

  expect(organizations).toEqual([
    { id: acme, name: `Organization ${acme}`, plugins_access_level: level },
    { id: initech, name: `Organization ${initech}` },
  ])
})

test.each<[title: string, detail: string, limits: object, organization?: string]>([
  [
    'to projects',
    'API key does not have access to the requested project: ID 3.',
    { projects: [1] },
  ],
  [
    'to an organization',
    `API key does not have access to the requested organization: ID ${initech}.`,
    { organizations: [acme] },
    initech,
  ],
  [
    'to projects, and may not list organizations',
    'API keys with scoped projects are only supported on project-based endpoints.',
    { projects: [1] },
  ],
])('a key that is limited %s', async (_title, detail, limits, organization = acme) => {
  const { keys, projects } = await accountsOf(
    { url: '/api/projects/', received: createPage({ id: 1, organization: acme, name: 'Web' }) },
    ...[{ received: createPage() }, { received: createPage() }],
    { url: '/api/projects/3/annotations/', ...refused(detail) },
  )

  expect(keys).toEqual([
    { value: 'replaced-key-1', label: 'key-1', user: 1, scopes: ['*'], ...limits },
  ])
  expect(projects?.at(-1)).toMatchObject({ id: 3, organization })
})

test('the value of a key is not the label of another one', async () => {
  const labels = ['replaced-key-2', 'other', 'third']
  const page = { received: createPage() }
  const create = { method: 'POST', status: 201, received: createRow(9, 'A') }
  const traffic = createTraffic(page, page, create)
  const { scenario } = await scenarioFromTraffic(
    traffic.map((exchange, index) => ({ ...exchange, key: labels[index] as string })),
  )
  const { keys } = scenario.world as WorldJson

  expect(keys?.map(({ label, value, user }) => [label, value, user])).toEqual([
    ['replaced-key-2', 'replaced-key-1', 8],
    ['other', 'replaced-key-3', 8],
    ['third', 'replaced-key-4', 7],
  ])
})
