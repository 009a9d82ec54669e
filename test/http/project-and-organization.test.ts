import { expect, test } from 'vitest'
import { profiles } from '../../src/settings/resolve.ts'
import { forbidden, notFound } from '../support/api/errors.ts'
import { idsOf } from '../support/api/page.ts'
import { acme, annotationsPath, initech } from '../support/api/paths.ts'
import { twoOrganizations as world } from '../support/api/two-organizations.ts'
import { start } from '../support/lanes/start.ts'

const plugins = (organization: string) => `/api/organizations/${organization}/plugins/`
test.each(profiles)(
  'in %s a missing project, or an id that is not a number, is not found',
  async (profile) => {
    const { ask } = await start({ profile })

    for (const project of ['999', '0', '-1', 'mine', '1e0', 'Web%20shop', '%00', '@mine']) {
      for (const [method, path] of [
        ['GET', ''],
        ['POST', ''],
        ['GET', '1/'],
        ['PATCH', '1/'],
      ] as const) {
        const options = method === 'GET' ? {} : { body: {} }
        const url = `/api/projects/${project}/annotations/${path}`
        expect(await ask(method, url, options), `${method} ${project}`).toEqual(
          notFound('Project not found.'),
        )
      }
    }
  },
)

test.each(profiles)(
  'in %s a missing organization is not found, and a foreign one is forbidden',
  async (profile) => {
    const { ask } = await start({ world, profile })

    for (const organization of ['018f2b6e-0000-7000-8000-0000000000ff', 'acme', '1', '@mine']) {
      expect(await ask('GET', plugins(organization))).toEqual(notFound('Organization not found.'))
    }
    const foreign = forbidden('You do not have permission to perform this action.')
    expect(await ask('GET', plugins(initech))).toEqual(foreign)
    expect(await ask('POST', plugins(initech), { body: {} })).toEqual(foreign)
    expect(await ask('GET', plugins(initech), { key: 'phx_noor' })).toMatchObject({ status: 200 })
  },
)

test.each(profiles)(
  'in %s @current is the current project of the user, or its organization',
  async (profile) => {
    const { ask, simulator } = await start({ world, profile })
    const key = 'phx_noor'

    for (const [current_project, listed, organization_id] of [
      [1, [5, 4, 1, 3, 8, 2], acme],
      [2, [7, 3], acme],
      [3, [22, 21], initech],
    ] as const) {
      simulator.world.users.update(2, { current_project })
      expect(idsOf(await ask('GET', '/api/projects/@current/annotations/', { key }))).toEqual(
        listed,
      )
      const body = { plugin_type: 'source', name: 'Here' }
      const created = await ask('POST', plugins('@current'), { key, body })
      expect(created).toMatchObject({ status: 201, body: { organization_id } })
    }
    const body = { content: 'Here' }
    const created = await ask('POST', '/api/projects/@current/annotations/', { key, body })
    const { id } = created.body as { id: number }
    expect(simulator.world.annotations.get(id)).toMatchObject({ content: 'Here', project: 3 })
  },
)

test('@current is a project of the first organization that has one', async () => {
  const { ask, simulator } = await start({ world })
  const { id } = simulator.world.organizations.create({})
  simulator.world.users.update(2, { organizations: [id, initech, acme], current_project: null })

  const page = await ask('GET', '/api/projects/@current/annotations/', { key: 'phx_noor' })

  expect(idsOf(page)).toEqual([22, 21])
})

test('by setting @current is not found', async () => {
  const { ask } = await start({ settings: { 'paths.current': 'off' } })

  expect(await ask('GET', '/api/projects/@current/annotations/')).toEqual(
    notFound('Project not found.'),
  )
  expect(await ask('GET', plugins('@current'))).toEqual(notFound('Organization not found.'))
})

test('an unknown path is not found, with any key or none', async () => {
  const { ask } = await start()

  for (const path of [
    ...['/api/', '/api/annotations/', '/api/project/1/annotations/', '/api/personal_api_keys/'],
    ...['/api/projects/1/', '/api/projects/1/annotations/1/activity/', '/api/PROJECTS/'],
    ...[
      '/api/projects//',
      '/api//projects/',
      '/api/projects//annotations/',
      `${annotationsPath}/`,
      `${annotationsPath}1//`,
    ],
    ...['/api/v1/projects/', '/api/projects/1/plugins/', '/api/organizations/'],
  ]) {
    for (const key of [null, 'phx_all', 'phx_nobody']) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        expect(await ask(method, path, { key }), path).toEqual(notFound('Endpoint not found.'))
      }
    }
  }
})

test('a path parameter may be percent-encoded', async () => {
  const { ask, simulator } = await start({ world, profile: 'live' })
  const { body } = await ask('GET', `${annotationsPath}1/`)

  expect(await ask('GET', '/api/projects/%31/annotations/%31/')).toEqual({ status: 200, body })
  expect(await ask('PATCH', '/api/projects/%40current/annotations/1/', { body: {} })).toMatchObject(
    { status: 200, body: { id: 1 } },
  )
  expect(await ask('GET', plugins(acme.replaceAll('-', '%2D')))).toMatchObject({ status: 200 })
  expect(simulator.world.annotations.count).toBe(10)
})

test('a trailing slash is optional and never causes a redirect', async () => {
  for (const profile of ['documented', 'live'] as const) {
    const client = await start({ profile })
    for (const [method, path, status] of [
      ['GET', '/api/projects', 200],
      ['GET', '/api/projects/1/annotations', 200],
      ['POST', '/api/projects/1/annotations', 201],
      ['GET', '/api/projects/1/annotations/1', 200],
      ['PATCH', '/api/projects/1/annotations/1', 200],
      ['DELETE', '/api/projects/1/annotations/1', 405],
      ['OPTIONS', '/api/projects/1/annotations/1', 200],
    ] as const) {
      for (const slash of ['', '/', '?', '/?limit=5']) {
        const body = method === 'POST' || method === 'PATCH' ? { body: {} } : {}
        const response = await client.send(method, `${path}${slash}`, body)
        expect([response.status, response.redirected], `${method} ${path}${slash}`).toEqual([
          status,
          false,
        ])
      }
    }
  }
})
