import { findReferences } from '../format/check-scenario.ts'
import { isRequestStep, type Scenario, type Step, stepTitle } from '../format/scenario.ts'
import { applyChange, type ExecutedStep, sendRequest } from './execute-step.ts'
import type { ReplayResult, StepResult } from './result.ts'
import { type Target, UnreachableError } from './target.ts'

export interface StepRange {
  /** Earlier steps are executed, but not compared. */
  readonly first: number
  readonly last: number
}

/** Why a response differs. */
export type Explanation = Pick<
  StepResult,
  'policies' | 'decided_by' | 'undecided' | 'unexplained' | 'reasons'
>

export interface RunHooks {
  /** Called before each step. */
  readonly before?: (index: number) => unknown
  /** Called for each request whose response differs. Returns the reasons. */
  readonly explain?: (index: number, differences: StepResult['differences']) => Promise<Explanation>
  /** Called after each step. The next step waits for the returned promise. */
  readonly after?: (result: StepResult) => unknown
}

/** Runs the steps of a scenario one after another. @throws UnreachableError */
export async function runSteps(
  { title, steps }: Scenario,
  target: Target,
  { first, last }: StepRange,
  { before, explain, after }: RunHooks = {},
): Promise<ReplayResult> {
  const runStart = performance.now()
  const saved = new Map<string, unknown>([['base_url', target.baseUrl]])
  const results: StepResult[] = []
  // False if an earlier step may not have saved a value.
  let isComplete = true
  for (const [index, step] of steps.slice(0, last + 1).entries()) {
    if (before) await before(index)
    const start = performance.now()
    const executed = await runStep(step, index, target, saved, isComplete)
    const { outcome } = executed
    isComplete &&= outcome === 'passed'
    const isExplained = index >= first && outcome === 'failed' && isRequestStep(step)
    const result: StepResult = {
      step: index + 1,
      title: stepTitle(step),
      ms: performance.now() - start,
      ...executed,
      policies: [],
      decided_by: [],
      ...(isExplained && (await explain?.(index, executed.differences))),
      ...(index < first && outcome !== 'skipped' && { outcome: 'prepared', differences: [] }),
    }
    results.push(result)
    await after?.(result)
  }
  const passed = results.every(({ outcome }) => outcome === 'passed' || outcome === 'prepared')
  const ms = performance.now() - runStart
  return { title, passed, base_url: target.baseUrl, ms, steps: results }
}

async function runStep(
  step: Step,
  index: number,
  target: Target,
  saved: Map<string, unknown>,
  isComplete: boolean,
): Promise<ExecutedStep & Pick<StepResult, 'outcome'>> {
  const missing = isComplete
    ? undefined
    : findReferences(step, 'step').find(({ name }) => !saved.has(name))
  if (missing) {
    const { name, path: where } = missing
    const expected = `the value {${name}}, which an earlier step saves`
    const difference = { path: [], where, expected, got: 'nothing', inWords: true } as const
    return { request: null, response: null, differences: [difference], outcome: 'skipped' }
  }
  try {
    const executed = await (isRequestStep(step)
      ? sendRequest(step, target, saved)
      : applyChange(step, target, saved))
    return { ...executed, outcome: executed.differences.length > 0 ? 'failed' : 'passed' }
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    throw new UnreachableError(`${error.message} The request of steps[${index}] failed.`)
  }
}
