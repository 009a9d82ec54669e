import { expect, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { generate, type WorldJson } from '../../../src/factories.ts'
import { createSimulator } from '../../../src/index.ts'
import { annotationFields } from '../../support/api/annotation.ts'
import { listsOf } from '../../support/world-lists.ts'

const counts = {
  ...{ organizations: 2, projects: 5, users: 6, dashboard_items: 30, plugins: 10 },
  ...{ plugin_configs: 20, annotations: 300, activity: 50 },
}

test('a world with only a count is completed to one that answers requests', async () => {
  const simulator = createSimulator({ world: generate({ generate: { annotations: 100 } }) })
  const { key, project_id } = simulator.defaults

  const response = await simulator.fetch(`/api/projects/${project_id}/annotations/`, {
    headers: { authorization: `Bearer ${key}` },
  })

  const page = (await response.json()) as { count: number; results: { created_by: object }[] }
  expect(response.status).toBe(200)
  expect(page.count).toBeGreaterThan(85)
  expect(page.results.some(({ created_by }) => created_by !== null)).toBe(true)
})

test('an empty world gets an organization, a project, a user and the keys of the default world', () => {
  const { now, organizations, projects, users, keys, ...rest } = generate({})
  expect(organizations).toEqual(defaultWorld.organizations)
  expect(projects).toEqual([defaultWorld.projects[0]])
  expect(users).toEqual([defaultWorld.users[0]])
  expect(createSimulator({ world: { ...defaultWorld, keys } as WorldJson }).keys.list()).toEqual(
    createSimulator().keys.list(),
  )
  expect([now, rest]).toEqual(['2024-06-15T12:00:00Z', {}])
})

test('the keys of the default world belong to the users and projects of a world without keys', () => {
  const users = [
    { id: 4, first_name: 'Sam', is_active: false },
    { id: 5, first_name: 'Lee' },
  ]

  const world = generate({ users, projects: [{ id: 7 }], generate: { annotations: 1 } })
  const withoutProject = generate({ projects: [] })

  const { keys } = createSimulator({ world })
  const limited = keys.list().find(({ label }) => label === 'project_1')
  expect(keys.list().every(({ user }) => user === 5)).toBe(true)
  expect(limited).toMatchObject({ value: 'phx_project_1', projects: [7] })
  expect(world.users?.map(({ organizations }) => organizations)).toEqual(
    users.map(() => [defaultWorld.organizations[0]?.id]),
  )
  expect(withoutProject.projects).toEqual([])
  expect(withoutProject.keys?.map(({ value }) => value)).not.toContain('phx_project_1')
})

test('missing fields are generated, and existing fields stay', () => {
  const world = generate({
    users: [{ first_name: 'Ada', last_name: 'Park' }],
    dashboard_items: [{ id: 10, name: 'Signups' }],
    annotations: [
      { content: 'Launch', date_marker: '2024-06-03T09:00:00Z' },
      { content: null, date_marker: null, scope: 'organization', deleted: true, created_by: null },
      { dashboard_item: 10, creation_type: 'GIT' },
    ],
  })

  const [first, second, third] = listsOf(world).annotations
  expect([first, second, third]).toMatchObject([
    { id: 1, content: 'Launch', date_marker: '2024-06-03T09:00:00Z', project: 1 },
    { id: 2, content: null, date_marker: null, scope: 'organization', deleted: true },
    { id: 3, dashboard_item: 10, scope: 'dashboard_item', creation_type: 'GIT' },
  ])
  expect(third?.content).toMatch(/^Deploy \d+\.\d+\.\d+ \([0-9a-f]{7}\) to production$/)
  expect(listsOf(world).users[0]?.email).toBe('ada.park1@example.com')
})

test('a complete row does not change, nor do references to generated rows', () => {
  const limits = { scopes: [], projects: [2], organizations: [] }
  const key = { value: 'phx_1', label: 'one', user: 3, ...limits }
  const world = generate({ keys: [key], generate: { users: 3, projects: 2 } })
  expect(world.keys).toEqual([key])
})

test('generated rows are added to existing rows, and continue their ids', () => {
  const world = generate({
    $schema: 'world.schema.json',
    annotations: [{ content: 'first' }, { id: 40, content: 'second' }],
    generate: { annotations: 3, plugins: 2 },
    next_ids: { plugins: 100 },
  })
  expect(world.annotations?.map(({ id }) => id)).toEqual([41, 40, 42, 43, 44])
  expect(world.plugins?.map(({ id }) => id)).toEqual([100, 101])
  expect(world.next_ids).toEqual({ plugins: 102 })
  expect([world.$schema, world.generate]).toEqual(['world.schema.json', undefined])
})

test('generated rows are spread over all projects, most of them in the first one', () => {
  const world = generate({
    generate: { organizations: 3, projects: 6, users: 9, dashboard_items: 20, annotations: 600 },
  })
  const { organizations, projects, users, dashboard_items, annotations } = listsOf(world)
  expect(new Set(projects.map(({ organization }) => organization)).size).toBe(organizations.length)
  expect(new Set(users.flatMap((user) => user.organizations)).size).toBe(organizations.length)
  expect(new Set(dashboard_items.map(({ project }) => project)).size).toBe(projects.length)

  const inProject = projects.map(
    ({ id }) => annotations.filter(({ project }) => project === id).length,
  )
  expect(Math.min(...inProject)).toBeGreaterThan(30)
  expect(Math.max(...inProject)).toBe(inProject[0])
})

test('generated rows reference rows of the same project or organization', () => {
  const world = generate({ generate: counts })
  const { projects, users, dashboard_items, plugins, plugin_configs, annotations, activity } =
    listsOf(world)
  const organizationOf = (id: number | null) =>
    projects.find((project) => project.id === id)?.organization
  const isMember = (id: number | null, organization: string | undefined) =>
    id === null ||
    users.find((user) => user.id === id)?.organizations.includes(organization as string)

  for (const { project, dashboard_item, created_by } of annotations) {
    const item = dashboard_items.find(({ id }) => id === dashboard_item)
    expect.soft(item?.project ?? project).toBe(project)
    expect.soft(isMember(created_by, organizationOf(project))).toBe(true)
  }
  for (const { plugin, project } of plugin_configs) {
    expect.soft(organizationOf(project)).toBe(plugins.find(({ id }) => id === plugin)?.organization)
  }
  for (const { user, project, organization } of activity) {
    expect
      .soft([organizationOf(project), isMember(user, organization)])
      .toEqual([organization, true])
  }
})

test('an empty list stays empty, unless another row needs to reference it', () => {
  const world = generate({ users: [], keys: [], projects: [], annotations: [{}] })
  expect([world.users, world.keys, world.projects?.length]).toEqual([[], [], 1])
  expect(world.annotations?.[0]?.created_by).toBe(null)
})

test('generate does not change its argument, and copies it', () => {
  const input = { plugins: [{ config_schema: [{ key: 'host' }] }] }
  const before = structuredClone(input)
  const world = generate(input)
  expect(input).toEqual(before)
  expect(world.plugins?.[0]?.config_schema).toEqual(input.plugins[0]?.config_schema)
  expect(world.plugins?.[0]?.config_schema).not.toBe(input.plugins[0]?.config_schema)
})

test('a complete world does not change', () => {
  const world = generate({ generate: { annotations: 20, plugins: 3 } }, { seed: 4 })
  expect(generate(world)).toEqual(world)
})

test('generated worlds of every seed are valid', () => {
  for (const seed of [1, 2, -3, 2 ** 40]) {
    const { world } = createSimulator({ world: generate({ generate: counts }, { seed }) })
    expect.soft(world.counts).toEqual(counts)
  }
})

const unknownScope =
  'expected one of "dashboard_item", "dashboard", "project", "organization", "recording", "tag", got "team"'

test('a world with wrong fields is refused, with every issue and its path', () => {
  const world = {
    annotations: [{ content: 'Launch' }, { scope: 'team', text: 'x' }],
    users: [{ email: 5 }],
    generate: { annotation: 5, users: -1 },
  }

  expect(() => generate({ annotations: [{ project: 9 }] })).toThrow(/an id in projects, got 9/)
  expect(() => generate(world as never)).toThrow(
    [
      'Failed to generate the world: 5 problems. Nothing was generated.',
      'generate.annotation: unknown field. Did you mean "annotations"?',
      `annotations[1].text: unknown field. Allowed: ${annotationFields()}`,
      'generate.users: expected at least 0, got -1',
      'users[0].email: expected string, got 5',
      `annotations[1].scope: ${unknownScope}`,
    ].join('\n  '),
  )
})
