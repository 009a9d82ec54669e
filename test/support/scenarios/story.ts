import { createSimulator, type RunResult, type Scenario } from '../../../src/index.ts'
import { annotationsPath, noon as clock } from '../api/paths.ts'

export { annotationsPath, clock }

/** A scenario of some steps in the default world. */
export const createStory = (steps: Scenario['steps'], more: Partial<Scenario> = {}): Scenario => ({
  title: 'An annotation',
  world: 'default',
  clock,
  steps,
  ...more,
})

/** Runs these steps in the default world. */
export const runStory = (
  steps: Scenario['steps'],
  options?: Parameters<ReturnType<typeof createSimulator>['run']>[1],
): Promise<RunResult> => createSimulator().run(createStory(steps), options)

/** Reads one annotation. */
export const readStep = { as: 'all', method: 'GET', path: `${annotationsPath}1/` } as const
/** Lists them. */
export const listStep = { as: 'all', method: 'GET', path: annotationsPath } as const
/** Creates one. */
export const postStep = { as: 'all', method: 'POST', path: annotationsPath } as const
/** Creates one, whose answer is another one than the simulation's. */
export const createStep = {
  title: 'create it',
  ...postStep,
  body: { content: 'Launch' },
  expect: { status: 201, body: { id: { $match: 'id' }, content: 'Launched!' } },
  save: { id: '/id' },
} as const
