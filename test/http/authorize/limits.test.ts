import { expect, test } from 'vitest'
import { profiles } from '../../../src/settings/resolve.ts'
import { forbidden, notFound } from '../../support/api/errors.ts'
import { idsOf } from '../../support/api/page.ts'
import { acme, initech } from '../../support/api/paths.ts'
import { twoOrganizations as world } from '../../support/api/two-organizations.ts'
import { start } from '../../support/lanes/start.ts'

const list = (project: number | string) => `/api/projects/${project}/annotations/`
const plugins = (organization: string) => `/api/organizations/${organization}/plugins/`
const notProject = (id: number | string) =>
  forbidden(`API key does not have access to the requested project: ID ${id}.`)
const notOrganization = (id: string) =>
  forbidden(`API key does not have access to the requested organization: ID ${id}.`)
const projectsOnly = forbidden(
  'API keys with scoped projects are only supported on project-based endpoints.',
)

test.each(profiles)(
  'in %s a key limited to projects cannot reach other projects',
  async (profile) => {
    const { ask, simulator } = await start({ world, profile })
    const key = simulator.keys.issue({ user: 2, projects: [2, 3] })

    expect(await ask('GET', list(2), { key })).toMatchObject({ status: 200, body: { count: 2 } })
    expect(await ask('POST', list(3), { key, body: {} })).toMatchObject({ status: 201 })
    expect(await ask('GET', list(1), { key })).toEqual(notProject(1))
    expect(await ask('POST', list(1), { key, body: {} })).toEqual(notProject(1))
    expect(await ask('GET', `${list(1)}3/`, { key })).toEqual(notProject(1))
    expect(await ask('PATCH', `${list(1)}3/`, { key, body: {} })).toEqual(notProject(1))
  },
)

test.each(profiles)(
  'in %s a key limited to projects cannot use paths outside projects',
  async (profile) => {
    const { ask } = await start({ world, profile })

    expect(await ask('GET', plugins(acme), { key: 'phx_project_1' })).toEqual(projectsOnly)
    expect(await ask('POST', plugins(acme), { key: 'phx_project_1', body: {} })).toEqual(
      projectsOnly,
    )
    expect(await ask('GET', plugins('nowhere'), { key: 'phx_project_1' })).toEqual(projectsOnly)
    expect(await ask('GET', '/api/projects/', { key: 'phx_project_1' })).toEqual(projectsOnly)
    expect(await ask('GET', list(1), { key: 'phx_project_1' })).toMatchObject({ status: 200 })
  },
)

test.each(profiles)(
  'in %s a key limited to organizations reaches only them and their projects',
  async (profile) => {
    const { ask, simulator } = await start({ world, profile })
    const key = simulator.keys.issue({ user: 2, organizations: [initech] })

    expect(idsOf(await ask('GET', list(3), { key }))).toEqual([22, 21])
    expect(await ask('GET', plugins(initech), { key })).toMatchObject({ status: 200 })
    expect(await ask('GET', list(1), { key })).toEqual(notOrganization(acme))
    expect(await ask('PATCH', `${list(2)}3/`, { key, body: {} })).toEqual(notOrganization(acme))
    expect(await ask('GET', plugins(acme), { key })).toEqual(notOrganization(acme))
  },
)

test.each(profiles)(
  'in %s a key limited to organizations lists only their projects',
  async (profile) => {
    const { ask, simulator } = await start({ world, profile })
    const listed = async (organizations: string[], user = 2) =>
      idsOf(
        await ask('GET', '/api/projects/', { key: simulator.keys.issue({ user, organizations }) }),
      )

    expect(await listed([initech])).toEqual([3])
    expect(await listed([acme])).toEqual([1, 2])
    expect(await listed([acme, initech])).toEqual([1, 2, 3])
    expect(await listed([])).toEqual([1, 2, 3])
    expect(await listed([initech], 1)).toEqual([])
  },
)

test('an unknown project is not found before its limits are checked', async () => {
  const { ask } = await start({ world })
  const long = '1'.repeat(400)

  for (const segment of ['10000000000000000000000001', '%2B0_9007199254740993', '-2', long]) {
    expect(await ask('GET', list(segment), { key: 'phx_project_1' })).toEqual(
      notFound('Project not found.'),
    )
  }
  expect(await ask('GET', list('%2B0_2'), { key: 'phx_project_1' })).toEqual(notProject(2))
})

test('a key can be limited to projects and organizations at once', async () => {
  const { ask, simulator } = await start({ world })
  const key = simulator.keys.issue({ user: 2, projects: [1, 3], organizations: [initech] })

  expect(await ask('GET', list(3), { key })).toMatchObject({ status: 200 })
  expect(await ask('GET', list(1), { key })).toEqual(notOrganization(acme))
  expect(await ask('GET', list(2), { key })).toEqual(notProject(2))
})

test('a limit does not extend the access of the user or the scope', async () => {
  const { ask, simulator } = await start({ world })
  const key = simulator.keys.issue({ user: 1, scopes: ['annotation:read'], projects: [1, 3] })

  expect(await ask('GET', list(3), { key })).toEqual(
    forbidden("You don't have access to the project."),
  )
  expect(await ask('POST', list(1), { key, body: {} })).toEqual(
    forbidden("API key missing required scope 'annotation:write'"),
  )
})

test('live, @current is not found for a user without projects, even with a limited key', async () => {
  const { ask, simulator } = await start({ world, profile: 'live' })
  const { id } = simulator.world.users.create({ organizations: [] })
  const key = simulator.keys.issue({ user: id, projects: [1] })

  expect(await ask('GET', list('@current'), { key })).toEqual(notFound('Project not found.'))
})

test('live, limits apply to @current, too', async () => {
  const { ask, simulator } = await start({ world, profile: 'live' })
  const key = simulator.keys.issue({ user: 2, projects: [3] })
  const other = simulator.keys.issue({ user: 2, organizations: [acme] })

  simulator.world.users.update(2, { current_project: 2 })
  expect(await ask('GET', list('@current'), { key })).toEqual(notProject(2))
  expect(await ask('GET', list('@current'), { key: other })).toMatchObject({ status: 200 })

  simulator.world.users.update(2, { current_project: 3 })
  expect(idsOf(await ask('GET', list('@current'), { key }))).toEqual([22, 21])
  expect(await ask('GET', list('@current'), { key: other })).toEqual(notOrganization(initech))
  expect(await ask('GET', plugins('@current'), { key: other })).toEqual(notOrganization(initech))
})
