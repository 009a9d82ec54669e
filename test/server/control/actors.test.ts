import { expect, test } from 'vitest'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

const actors = '/__admin/actors'

test('a second actor is added, listed with its runs, and removed', async () => {
  const { ask, control, simulator } = await start()
  const body = {
    after: { operation: 'listAnnotations', requests: 2 },
    steps: [{ update: 'annotations', id: 1, changes: { content: 'By the actor' } }],
  }

  const added = await control('POST', actors, { body })
  await ask('GET', annotationsPath)
  const waiting = await control('GET', actors)
  await ask('GET', annotationsPath)
  const done = await control('GET', actors)

  const actor = {
    ...body,
    id: 'actor-1',
    after: { ...body.after, every: false },
    runs: 0,
    remaining: 2,
    errors: [],
    warning: null,
  }
  expect(added).toEqual({ status: 201, body: actor })
  expect(waiting).toEqual({ status: 200, body: [{ ...actor, remaining: 1 }] })
  expect(done).toEqual({ status: 200, body: [{ ...actor, runs: 1, remaining: null }] })
  expect(simulator.world.annotations.get(1)?.content).toBe('By the actor')
  const remove = () => control('DELETE', `${actors}/actor-1`)
  expect(await remove()).toEqual({ status: 204, body: undefined })
  expect(await remove()).toEqual({
    status: 404,
    body: {
      type: 'invalid_request',
      code: 'not_found',
      detail: 'Actor actor-1 not found: it was never added, or was removed.',
      attr: 'id',
    },
  })
})

test('clearing removes all actors, which then write no more', async () => {
  const { ask, control, simulator } = await start()
  const body = {
    after: { operation: 'listAnnotations', every: true },
    steps: [{ create: 'annotations', row: {} }],
  }
  const before = simulator.world.annotations.count
  await control('POST', actors, { body })
  await control('POST', actors, { body })
  await ask('GET', annotationsPath)

  const cleared = await control('DELETE', actors)
  await ask('GET', annotationsPath)

  expect(cleared).toEqual({ status: 204, body: undefined })
  expect(simulator.world.annotations.count).toBe(before + 2)
  expect(await control('GET', actors)).toEqual({ status: 200, body: [] })
})

test('each sandbox has its own actors, at its own URL', async () => {
  const { ask, control, simulator } = await start()
  const { id, keys } = simulator.sandboxes.create()
  const inSandbox = `/__sandbox/${id}/__admin/actors`
  const body = {
    after: { operation: 'listAnnotations', key: keys[0]?.value },
    steps: [{ delete: 'annotations', id: { at: 0 } }],
  }

  const added = await control('POST', inSandbox, { body })
  await ask('GET', annotationsPath, { key: keys[0]?.value as string })

  expect(added).toMatchObject({ status: 201, body: { id: 'actor-1', warning: null } })
  expect(await control('GET', inSandbox)).toMatchObject({
    body: [{ runs: 1, errors: [] }],
  })
  expect(await control('GET', actors)).toEqual({ status: 200, body: [] })
})
