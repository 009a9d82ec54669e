import { expect, test } from 'vitest'
import { runAt } from '../../src/admin/run-at.ts'
import { connect, createSimulator, type Scenario } from '../../src/index.ts'
import { UsageError } from '../../src/utils/errors.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { serve } from '../support/transports/start.ts'

const read = { as: 'all', method: 'GET', path: '/api/projects/', expect: { status: 200 } } as const

test('the sandbox of a replay is deleted afterwards, and would expire anyway', async () => {
  const { origin, simulator } = await serve()
  const seen: unknown[] = []
  const onStep = () => seen.push(...simulator.sandboxes.list().map(({ expires_at }) => expires_at))

  const empty = { ...read, path: annotationsPath, expect: { status: 200, body: { count: 0 } } }
  const scenario = { title: 'Read', world: 'empty', steps: [empty] }
  const { passed } = await runAt(origin, scenario, { onStep })
  const keys = { all: 'phx_all' }
  const { external } = await runAt(origin, { title: 'Read', steps: [read] }, { keys })

  expect([passed, external, seen]).toEqual([true, true, [expect.stringMatching(/^\d{4}-.*Z$/)]])
  expect(simulator.sandboxes.count).toBe(0)
})

test('a sandbox whose setup fails is deleted', async () => {
  const { origin, simulator } = await serve()
  const { sandboxes } = simulator
  const get = sandboxes.get.bind(sandboxes)
  sandboxes.get = (id) => {
    const inner = get(id)
    const replaceWorld = () => {
      throw new UsageError('Failed to replace the world: there is no room.')
    }
    if (inner) Object.assign(inner.state, { replaceWorld })
    return inner
  }

  const world = simulator.world.toJSON()
  const replay = runAt(origin, { title: 'Read', world, steps: [read] })

  await expect(replay).rejects.toThrow('Failed to replace the world: there is no room.')
  expect(sandboxes.count).toBe(0)
})

test('a sandbox of a server can be the place of a replay', async () => {
  const { remote } = await connect((await serve()).origin).sandboxes.create({ from: 'empty' })
  const create = { as: 'all', method: 'POST', path: annotationsPath, body: { content: 'Launch' } }

  const { passed } = await remote.scenarios.run(
    { title: 'In place', world: 'empty', steps: [{ ...create, expect: { status: 201 } }] },
    { in_place: true },
  )

  expect(passed).toBe(true)
  expect((await remote.world.read()).annotations).toMatchObject([{ content: 'Launch' }])
})

test('the seed of a scenario decides the values that its world generates', async () => {
  const keyOf = async (seed: number) => {
    const { origin, simulator } = await serve()
    const world = simulator.world.toJSON()
    const steps = [{ rows: { keys: [{ label: 'new' }] } }, read]
    const seen: unknown[] = []
    const onStep = () => {
      const [sandbox] = simulator.sandboxes.list()
      seen.push(sandbox?.keys.find(({ label }) => label === 'new')?.value)
    }
    await runAt(origin, { title: 'Seeded', seed, world, steps }, { onStep })
    return seen.at(-1)
  }

  const [seven, again, eight] = [await keyOf(7), await keyOf(7), await keyOf(8)]

  expect([typeof seven, again, eight === seven]).toEqual(['string', seven, false])
})

test.each(['a server', 'this process'])(
  'a replay in %s changes all rows of a step or none',
  async (place) => {
    const get = { as: 'all', method: 'GET', path: `${annotationsPath}1/` } as const
    const isFound = { ...get, expect: { status: 200, body: { content: 'Changed' } } } as const
    const steps = [
      { update: { annotations: [{ id: 1, content: 'Changed' }] } },
      { update: { annotations: [{ id: 1, content: 'Again' }, { id: 99 }] } },
      { delete: { annotations: [1, 99] } },
      isFound,
      { delete: { annotations: [1, 2] } },
      { ...get, expect: { status: 404 } },
    ]
    const scenario: Scenario = { title: 'Edits', world: 'default', steps }

    const { steps: results } =
      place === 'a server'
        ? await runAt((await serve()).origin, scenario)
        : await createSimulator().run(scenario)

    expect(results.map(({ outcome }) => outcome)).toEqual([
      'passed',
      ...['failed', 'failed'],
      ...['passed', 'passed', 'passed'],
    ])
    expect(results.flatMap(({ differences }) => differences.map(({ got }) => got))).toEqual([
      'Failed to update 99 of annotations: there is no such row.',
      'Failed to delete a row of annotations: expected an existing id, got 99.',
    ])
  },
)
