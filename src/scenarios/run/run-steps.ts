import { type PolicyId, policies } from '../../policies/policies.ts'
import { profiles, resolvePolicies } from '../../policies/settings.ts'
import type { JournalPolicy } from '../../sandbox/journal/entry.ts'
import { findReferences, savedNames } from '../format/check-scenario.ts'
import { isRequestStep, type Scenario, type Step, stepTitle } from '../format/scenario.ts'
import { applyChange, type ExecutedStep, sendRequest } from './execute-step.ts'
import type { DecidingPolicy, ReplayResult, StepResult } from './result.ts'
import { type Target, UnreachableError } from './target.ts'

export interface StepRange {
  /** Earlier steps are executed, but not compared. */
  readonly first: number
  readonly last: number
}

export interface RunHooks {
  /** Called before each step. */
  readonly before?: (index: number) => unknown
  /** Called for each request whose response differs. Returns the reasons. */
  readonly explain?: (index: number) => Promise<Pick<StepResult, 'policies' | 'decided_by'>>
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
  // False if a value of an earlier step could not be saved.
  let isComplete = true
  for (const [index, step] of steps.slice(0, last + 1).entries()) {
    if (before) await before(index)
    const start = performance.now()
    const executed = await runStep(step, index, target, saved, isComplete)
    isComplete &&=
      executed.differences.length === 0 || savedNames(step).every((name) => saved.has(name))
    const { outcome } = executed
    const isExplained = index >= first && outcome === 'failed' && isRequestStep(step)
    const result: StepResult = {
      step: index + 1,
      title: stepTitle(step),
      ms: performance.now() - start,
      ...executed,
      policies: [],
      decided_by: [],
      ...(isExplained && (await explain?.(index))),
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

/** The search is skipped if it needs more requests. */
const maxRequests = 20_000

type Settings = Readonly<Record<string, string | number>>

export interface PolicyTrial {
  readonly scenario: Scenario
  readonly index: number
  readonly consulted: readonly JournalPolicy[]
  readonly settings: Settings
  readonly open: () => Promise<Target>
}

/**
 * Finds the policies that decide a difference: with another setting of one, the step passes. The search repeats the
 * steps in a fresh target for each setting. If no single policy decides, it returns the smallest set of settings of
 * another profile with which the step passes.
 */
export async function findDecidingPolicies(trial: PolicyTrial): Promise<DecidingPolicy[]> {
  const { index, consulted, settings } = trial
  const candidates = consulted.flatMap(({ id }) =>
    Object.keys(policies[id as PolicyId]?.values ?? {})
      .filter((value) => value !== 'integer' && value !== settings[id])
      .map((value): [string, string] => [id, value]),
  )
  const trials = candidates.length + 2 * Object.keys(settings).length
  if (consulted.length === 0 || trials * (index + 1) > maxRequests) return []
  const alone: DecidingPolicy[] = []
  for (const [id, value] of candidates) {
    if (await passesWith(trial, { [id]: value }))
      alone.push(toDecidingPolicy(trial, id, value, true))
  }
  return alone.length > 0 ? alone : findDecidingCombination(trial)
}

/** The smallest set of settings of another profile with which the step passes: all of them are needed. */
async function findDecidingCombination(trial: PolicyTrial): Promise<DecidingPolicy[]> {
  for (const profile of profiles) {
    let needed: Settings = Object.fromEntries(
      Object.entries(resolvePolicies(profile)).filter(
        ([id, value]) => value !== trial.settings[id],
      ),
    )
    if (!(await passesWith(trial, needed))) continue
    for (const id of Object.keys(needed)) {
      const { [id]: _, ...fewer } = needed
      if (await passesWith(trial, fewer)) needed = fewer
    }
    return Object.entries(needed).map(([id, value]) => toDecidingPolicy(trial, id, value, false))
  }
  return []
}

/** Whether the step passes if some policies are set right before it. */
async function passesWith(
  { scenario, index, open }: PolicyTrial,
  settings: Settings,
): Promise<boolean> {
  const target = await open()
  try {
    const range = { first: index, last: index }
    const { steps } = await runSteps(scenario, target, range, {
      before: (at) => at === index && target.change({ policies: settings }),
    })
    return steps.at(-1)?.outcome === 'passed'
  } finally {
    await target.close()
  }
}

function toDecidingPolicy(
  { settings }: PolicyTrial,
  id: string,
  would_be: string | number,
  alone: boolean,
): DecidingPolicy {
  const setting = settings[id] as string | number
  const { values } = policies[id as PolicyId]
  const { evidence, source } = values[setting] ??
    values.integer ?? { evidence: 'assumed', source: '' }
  return { id, setting, would_be, alone, evidence, source }
}
