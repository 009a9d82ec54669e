import { expect, test } from 'vitest'
import { createSimulator, type Scenario, type Step } from '../../src/index.ts'
import { shrinkScenario } from '../../src/node.ts'

const list = '/api/projects/1/annotations/'
const create = (content: string): Step => ({
  ...{ as: 'all', method: 'POST', path: list, body: { content } },
})
const noise = Array.from({ length: 20 }, (_, n) => create(`Noise ${n}`))
const shrink = (scenario: Scenario): Promise<Scenario | null> =>
  shrinkScenario(scenario, createSimulator())

test('the steps remain that a failure needs, with the values that they save', async () => {
  const mine = { ...create('Mine'), save: { id: '/id' } } as Step
  const other: Step = { as: 'all', method: 'PATCH', path: `${list}{id}/`, body: { content: 'B' } }
  const read: Step = {
    ...{ as: 'all', method: 'GET', path: `${list}{id}/`, expect: { body: { content: 'Mine' } } },
  }

  const smaller = await shrink({
    title: 'An edit is lost',
    steps: [...noise, mine, { advance: { hours: 1 } }, other, ...noise, read, ...noise],
  })

  expect(smaller).toEqual({ title: 'An edit is lost', steps: [mine, other, read] })
})

test('a preset is replaced by the fault that was applied', async () => {
  const first: Step = { ...create('First'), save: { id: '/id' } }
  const lost: Step = {
    ...{ as: 'all', method: 'PATCH', path: `${list}{id}/`, body: { content: 'Lost' } },
    expect: { status: 200 },
  }
  const steps = [
    first,
    { fault: { preset: 'flaky' } as const },
    ...noise,
    lost,
    lost,
    lost,
    lost,
    lost,
    lost,
  ]

  const smaller = await shrink({ title: 'A flaky service', seed: 1, steps })

  expect(smaller?.steps).toEqual([
    first,
    { fault: { when: { times: 1 }, phase: 'before', effect: { error: 'server_error' } } },
    lost,
  ])
})

test.each([[['Two']], [['Two', 'Two again']]])(
  'a step that only saves a value for one that is not needed goes, and %j stay',
  async (contents) => {
    const mine: Step = { ...create('Mine'), save: { id: '/id' } }
    const read: Step = { as: 'all', method: 'GET', path: `${list}{id}/`, expect: { status: 200 } }
    const failing: Step = {
      ...{ as: 'all', method: 'GET', path: `${list}?search=two`, expect: { body: { count: 0 } } },
    }
    const [two, ...others] = contents.map(create) as [Step, ...Step[]]

    const smaller = await shrink({ title: 'A row', steps: [mine, two, read, ...others, failing] })

    expect(smaller?.steps).toEqual([two, ...others, failing])
  },
)

test('a failure is not shrunk to another one', async () => {
  const count: Step = { as: 'all', method: 'GET', path: list, expect: { body: { count: 0 } } }
  const steps = [create('One'), { reset: true } as const, create('Two'), create('Three'), count]

  const smaller = await shrink({ title: 'Rows', world: 'empty', steps })

  expect(smaller?.steps).toEqual([create('Two'), create('Three'), count])
})

test('a scenario whose steps pass has nothing to keep', async () => {
  expect(await shrink({ title: 'Passes', steps: [create('One')] })).toBeNull()
})
