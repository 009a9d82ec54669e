import { createSimulator, type RunResult, type Scenario } from '../../../src/index.ts'
import { parseScenario } from '../../../src/scenarios/format/check-scenario.ts'
import { isUsageError } from '../../../src/utils/errors.ts'
import { annotationsPath, noon as clock } from '../api/paths.ts'
import { temporaryFile } from '../files.ts'
import { root } from '../root.ts'

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

/** A file with a scenario of these steps. */
export const writeScenarioFile = (steps: unknown, more: object = {}): string =>
  temporaryFile(JSON.stringify({ title: 'A story', world: 'default', steps, ...more }))

/** A story of the package. */
export const storyFile = `${root}scenarios/soft-delete-and-restore.json`

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
/** Reads one, with a title of its own. */
export const titledStep = { title: 'read <it>', ...readStep }
/** The same, and not what it is answered. */
export const failingStep = {
  ...titledStep,
  expect: { status: 200, body: { content: 'Release 2.0' } },
}

/** The issues of a scenario, each with its path. */
export function scenarioIssues(scenario: unknown): readonly string[] {
  try {
    parseScenario(scenario)
    return []
  } catch (error) {
    if (isUsageError(error)) return error.issues
    throw error
  }
}
