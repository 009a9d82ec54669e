import { expect, test } from 'vitest'
import { forbidden, invalidKey } from '../../support/api/errors.ts'
import { annotationPath as path } from '../../support/api/paths.ts'
import { spendRequests } from '../../support/api/rate-limit.ts'
import { start } from '../../support/transports/start.ts'

test('what a key may do follows its rows and the settings, also after it sent a request', async () => {
  const { ask, simulator } = await start({ profile: 'live' })
  const { users } = simulator.world
  simulator.keys.issue({ value: 'phx_writer', scopes: ['annotation:write'] })
  const get = () => ask('GET', path, { key: 'phx_writer' })
  const works = expect.objectContaining({ status: 200 })
  expect([await get(), await get()]).toEqual([works, works])

  simulator.settings.set({ 'keys.write_implies_read': 'no' })
  expect(await get()).toEqual(forbidden("API key missing required scope 'annotation:read'"))
  simulator.settings.set({ 'keys.write_implies_read': 'yes' })
  expect(await get()).toEqual(works)

  const { organizations } = users.update(1, { is_active: false })
  expect(await get()).toEqual(invalidKey())
  users.update(1, { is_active: true, organizations: [] })
  expect(await get()).toEqual(forbidden("You don't have access to the project."))
  users.update(1, { organizations })
  expect(await get()).toEqual(works)

  simulator.keys.revoke('phx_writer')
  expect(await get()).toEqual(invalidKey())
})

test('each request of a key counts toward the rate limit, and is recorded with the same settings', async () => {
  const { ask, simulator } = await start({
    profile: 'live',
    settings: { 'limits.rate': '480_per_minute' },
  })
  const patch = () => ask('PATCH', `/api/projects/@current/annotations/1/`, { body: {} })

  expect(await patch()).toMatchObject({ status: 200 })
  spendRequests(simulator, 'phx_all', 478)
  expect(await patch()).toMatchObject({ status: 200 })
  expect(await patch()).toMatchObject({ status: 429 })

  const [first, second] = simulator.journal.find()
  expect(first?.settings).toEqual(second?.settings)
  expect(first?.settings.map(({ id }) => id)).toContain('paths.current')
})

test('@current is the first project of the first organization of the user that has one, or an organization', async () => {
  const { ask, simulator } = await start()
  const { organizations, plugins, projects, users, annotations } = simulator.world
  const [acme = organizations.add()] = organizations.list()
  const [empty, own] = [organizations.add({ name: 'Empty' }), organizations.add({ name: 'Own' })]
  plugins.add({ organization: empty.id })
  annotations.add({ content: 'Own', project: projects.add({ organization: own.id }).id })
  const as = (...lists: { id: string }[]) => {
    const user = users.add({ organizations: lists.map(({ id }) => id) }).id
    const key = simulator.keys.issue({ user })
    return async (path: string) => (await ask('GET', path, { key })).body
  }
  const [get, getAlone] = [as(empty, own, acme), as(empty, organizations.add())]

  expect(await get('/api/projects/@current/annotations/')).toMatchObject({
    results: [{ content: 'Own' }],
  })
  expect(await get('/api/organizations/@current/plugins/')).toMatchObject({ count: 0 })
  expect(await getAlone('/api/organizations/@current/plugins/')).toMatchObject({ count: 1 })
  users.update(users.list().at(-2)?.id ?? 0, { current_project: 1 })
  expect(await get('/api/projects/@current/annotations/')).toMatchObject({ count: 6 })
})
