import { expect } from 'vitest'
import { socketTest, start } from '../../support/lanes/start.ts'

const list = '/api/projects/1/annotations/'
const actors = '/__admin/actors'
const asOperator = { key: null }

socketTest('a second actor is added, listed with its runs, and removed', async () => {
  const { ask, simulator } = await start()
  const body = {
    after: { operation: 'listAnnotations', requests: 2 },
    steps: [{ update: 'annotations', id: 1, changes: { content: 'By the actor' } }],
  }

  const added = await ask('POST', actors, { ...asOperator, body })
  await ask('GET', list)
  const waiting = await ask('GET', actors, asOperator)
  await ask('GET', list)
  const done = await ask('GET', actors, asOperator)

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
  const remove = () => ask('DELETE', `${actors}/actor-1`, asOperator)
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

socketTest('clearing removes all actors, which then write no more', async () => {
  const { ask, simulator } = await start()
  const body = {
    after: { operation: 'listAnnotations', every: true },
    steps: [{ create: 'annotations', row: {} }],
  }
  const before = simulator.world.annotations.count
  await ask('POST', actors, { ...asOperator, body })
  await ask('POST', actors, { ...asOperator, body })
  await ask('GET', list)

  const cleared = await ask('DELETE', actors, asOperator)
  await ask('GET', list)

  expect(cleared).toEqual({ status: 204, body: undefined })
  expect(simulator.world.annotations.count).toBe(before + 2)
  expect(await ask('GET', actors, asOperator)).toEqual({ status: 200, body: [] })
})

socketTest(
  'an invalid actor is refused with every issue and its field, and nothing is added',
  async () => {
    const { ask, simulator } = await start()
    const body = {
      after: { operation: 'listAnnotations' },
      steps: [{ create: 'annotations', row: { scope: 'team' } }, { delete: 'plugins' }],
    }

    expect(await ask('POST', actors, { ...asOperator, body })).toEqual({
      status: 400,
      body: {
        type: 'validation_error',
        code: 'invalid_input',
        detail: [
          'Failed to add an actor. Nothing was added.',
          '  steps[0].row.scope: expected one of "dashboard_item", "dashboard", "project", "organization", "recording", "tag", got "team"',
          '  steps[1].id: expected number, got nothing',
        ].join('\n'),
        attr: 'steps[0].row.scope',
      },
    })
    expect(simulator.actors.list()).toEqual([])
  },
)

socketTest('each sandbox has its own actors, at its own URL', async () => {
  const { ask, simulator } = await start()
  const { id, keys } = simulator.sandboxes.create()
  const inSandbox = `/__sandbox/${id}/__admin/actors`
  const body = {
    after: { operation: 'listAnnotations', key: keys[0]?.value },
    steps: [{ delete: 'annotations', id: { at: 0 } }],
  }

  const added = await ask('POST', inSandbox, { ...asOperator, body })
  await ask('GET', list, { key: keys[0]?.value as string })

  expect(added).toMatchObject({ status: 201, body: { id: 'actor-1', warning: null } })
  expect(await ask('GET', inSandbox, asOperator)).toMatchObject({
    body: [{ runs: 1, errors: [] }],
  })
  expect(await ask('GET', actors, asOperator)).toEqual({ status: 200, body: [] })
})
