import { expect, test } from 'vitest'
import { notFound } from '../../support/api/errors.ts'
import { annotationsPath, noon } from '../../support/api/paths.ts'
import { start } from '../../support/transports/start.ts'

test.each([
  ['documented', 'PATCH'],
  ['live', 'PATCH'],
  ['live', 'PUT'],
] as const)('in the profile %s %s changes only the fields of the body', async (profile, method) => {
  const { ask } = await start({ profile })
  const { body: before } = await ask('GET', `${annotationsPath}1/`)

  const changed = await ask(method, `${annotationsPath}1/`, { body: { content: 'Release 1.0.0' } })

  const body = { ...(before as object), content: 'Release 1.0.0', updated_at: noon }
  expect(changed).toEqual({ status: 200, body })
  expect(await ask('GET', `${annotationsPath}1/`)).toEqual({ status: 200, body })
})

test('an empty body changes only updated_at, every time', async () => {
  const { ask, simulator } = await start()
  const { body: before } = await ask('GET', `${annotationsPath}2/`)

  for (const updated_at of ['2024-06-15T12:00:01.500000Z', '2024-06-15T12:00:03Z']) {
    simulator.clock.advance({ seconds: 1.5 })
    const touched = await ask('PATCH', `${annotationsPath}2/`, { body: {} })
    expect.soft(touched).toEqual({ status: 200, body: { ...(before as object), updated_at } })
    expect.soft(await ask('GET', `${annotationsPath}2/`)).toEqual(touched)
  }
})

test('any member can change an annotation of another user', async () => {
  const { ask, simulator } = await start()
  const key = simulator.keys.issue({ user: 2, scopes: ['annotation:write'] })

  const changed = await ask('PATCH', `${annotationsPath}1/`, { key, body: { content: 'By Noor' } })

  expect(changed).toMatchObject({
    status: 200,
    body: { content: 'By Noor', created_by: { id: 1 } },
  })
})

test('changing an organization-wide annotation through another project moves it to that project', async () => {
  const { ask, simulator } = await start()

  const moved = await ask('PATCH', `${annotationsPath}3/`, { body: { content: 'Prices' } })

  expect(moved).toMatchObject({
    status: 200,
    body: { id: 3, content: 'Prices', scope: 'organization' },
  })
  expect(simulator.world.annotations.get(3)?.project).toBe(1)
  await ask('PATCH', `${annotationsPath}3/`, { body: { scope: 'project' } })
  expect(await ask('GET', '/api/projects/2/annotations/3/')).toEqual(notFound())
  expect(await ask('GET', `${annotationsPath}3/`)).toMatchObject({ status: 200 })
})

test('in the live profile PUT can delete an annotation, and does not find deleted ones', async () => {
  const { ask } = await start({ profile: 'live' })

  expect(await ask('PUT', `${annotationsPath}6/`, { body: { deleted: false } })).toEqual(notFound())
  expect(await ask('PUT', `${annotationsPath}1/`, { body: { deleted: true } })).toMatchObject({
    status: 200,
  })
  expect(await ask('PUT', `${annotationsPath}1/`, { body: { deleted: false } })).toEqual(notFound())
})
