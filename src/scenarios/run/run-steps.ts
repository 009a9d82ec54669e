import { findReferences, savedNames } from '../format/check-references.ts'
import { isRequestStep, type Scenario, type Step } from '../format/scenario.ts'
import { applyChange, changeKindOf, type ExecutedStep, sendRequest } from './execute-step.ts'
import { UnreachableError } from './read-response.ts'
import type { ReplayResult, StepResult } from './result.ts'
import type { Target } from './target.ts'

/** Which steps are run, counted from 0. */
export interface StepRange {
  /** Those before it are carried out, and not compared. */
  readonly first: number
  readonly last: number
}

/** Who is told along the way. */
export interface RunHooks {
  /** Called before each step, by its position. */
  readonly before?: (index: number, target: Target) => unknown
  /** Tells of a request that was answered differently what is known of the reasons. */
  readonly explain?: (index: number, target: Target) => Promise<DifferenceReasons>
  /** Called after each step; the next one waits for it. */
  readonly after?: (result: StepResult) => unknown
}

/** Why an answer is as it is. */
export type DifferenceReasons = Pick<StepResult, 'policies' | 'decided_by'>

const noReasons: DifferenceReasons = { policies: [], decided_by: [] }

/** Runs the steps of a scenario one after another. @throws UnreachableError */
export async function runSteps(
  { title, steps }: Scenario,
  target: Target,
  { first, last }: StepRange,
  { before, explain, after }: RunHooks = {},
): Promise<ReplayResult> {
  const began = performance.now()
  const saved = new Map<string, unknown>([['base_url', target.baseUrl]])
  const results: StepResult[] = []
  // Whether everything is there that was to be saved so far.
  let isWhole = true
  for (const [index, step] of steps.slice(0, last + 1).entries()) {
    if (before) await before(index, target)
    const start = performance.now()
    const played = await runStep(step, index, target, saved, isWhole)
    isWhole &&= played.differences.length === 0 || savedNames(step).every((name) => saved.has(name))
    const { outcome } = played
    const isExplained = index >= first && outcome === 'differed' && isRequestStep(step)
    const result: StepResult = {
      step: index + 1,
      title: step.title ?? defaultTitle(step),
      ms: performance.now() - start,
      ...played,
      ...noReasons,
      ...(isExplained && (await explain?.(index, target))),
      ...(index < first && outcome !== 'skipped' && { outcome: 'prepared', differences: [] }),
    }
    results.push(result)
    await after?.(result)
  }
  const held = results.every(({ outcome }) => outcome === 'held' || outcome === 'prepared')
  return { title, held, base_url: target.baseUrl, ms: performance.now() - began, steps: results }
}

async function runStep(
  step: Step,
  index: number,
  target: Target,
  saved: Map<string, unknown>,
  isWhole: boolean,
): Promise<ExecutedStep & Pick<StepResult, 'outcome'>> {
  const missing = isWhole
    ? undefined
    : findReferences(step, 'step').find(({ name }) => !saved.has(name))
  if (missing) {
    const { name, path: where } = missing
    const expected = `the value {${name}}, which an earlier step saves`
    const lost = { path: [], where, expected, got: 'nothing', inWords: true } as const
    return { request: null, answer: null, differences: [lost], outcome: 'skipped' }
  }
  try {
    const played = await (isRequestStep(step)
      ? sendRequest(step, target, saved)
      : applyChange(step, target, saved))
    return { ...played, outcome: played.differences.length > 0 ? 'differed' : 'held' }
  } catch (error) {
    throw withStepIndex(error, index)
  }
}

function withStepIndex(error: unknown, index: number): unknown {
  if (!(error instanceof UnreachableError)) return error
  return new UnreachableError(`${error.message} It was asked by steps[${index}].`)
}

function defaultTitle(step: Step): string {
  return isRequestStep(step) ? `${step.method} ${step.path}` : changeKindOf(step)
}
