import { tryParseJson } from '../../utils/foreign-json.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { freezeParsed, type ParsedScenario } from '../format/check-scenario.ts'
import { isRequestStep, type RequestStep } from '../format/scenario.ts'
import { escapeLiterals, matchers } from '../format/values.ts'
import { formatDifference, type StepDifference } from '../run/differences.ts'
import type { ReplayResult, StepResult } from '../run/result.ts'
import type { ReplayOptions } from '../run/run-scenario.ts'
import type { CandidateCheck } from './shrink.ts'

/** A check that holds while a scenario has its problem. */
export interface ProblemCheck {
  /** The scenario to shrink. It has the problem */
  readonly scenario: ParsedScenario
  readonly check: CandidateCheck
  /** The problem that every candidate has, in words: `step 3 (List annotations): body.count: expected 2, got 3` */
  readonly kept: string
}

/** Replays a scenario in a world of its own. */
export type Replay = (scenario: ParsedScenario, options: ReplayOptions) => Promise<ReplayResult>

const options: ReplayOptions = { decide: false }

/**
 * Finds the first step that fails in a replay. A candidate has the same failure if that step is its first to fail, with
 * the same status, the same expected and the same actual value in the same place, and no other difference. Returns null
 * if every step passes.
 */
export async function createFailureCheck(
  source: ParsedScenario,
  replay: Replay,
): Promise<ProblemCheck | null> {
  const first = findFailure(await replay(source, options))
  if (!first) return null
  const narrowed = await narrowExpectation(source, first, replay)
  const scenario = narrowed?.scenario ?? source
  const failed = narrowed?.failed ?? first
  const [difference] = failed.differences as readonly [StepDifference]
  return {
    scenario,
    kept: `step ${failed.step} (${failed.title}): ${describeDifference(difference)}`,
    async check({ scenario: candidate, origins }) {
      const at = origins.indexOf(failed.step - 1)
      if (at < 0) return false
      const found = await replay(candidate, { ...options, until: at + 1 })
        .then(findFailure)
        .catch((error: unknown) => {
          // A candidate that cannot be replayed does not have the problem.
          if (!(error instanceof UsageError)) throw error
        })
      return found?.step === at + 1 && isSameFailure(failed, found)
    },
  }
}

function findFailure({ steps }: ReplayResult): StepResult | undefined {
  return steps.find(({ outcome }) => outcome === 'failed')
}

function isSameFailure(failed: StepResult, found: StepResult): boolean {
  if (failed.response?.status !== found.response?.status) return false
  const [kept] = failed.differences as readonly [StepDifference]
  const isIn = (differences: readonly StepDifference[], one: StepDifference): boolean =>
    differences.some((other) => isSameDifference(other, one))
  return (
    isIn(found.differences, kept) && found.differences.every((one) => isIn(failed.differences, one))
  )
}

function isSameDifference(one: StepDifference, other: StepDifference): boolean {
  return (
    one.where === other.where &&
    one.inLength === other.inLength &&
    isSameValue(one.expected, other.expected) &&
    isSameValue(one.got, other.got)
  )
}

/** Whether two values are equal. Times of a running clock differ in each run. */
function isSameValue(one: unknown, other: unknown): boolean {
  if (matchers.time?.matches(one) && matchers.time.matches(other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) {
    return Object.is(one, other)
  }
  const [a, b] = [Object.entries(one), Object.entries(other)]
  return (
    a.length === b.length &&
    a.every(([name, value]) => isSameValue(value, (other as Record<string, unknown>)[name]))
  )
}

/**
 * Lets the step that fails expect a part of a body in place of the whole body or its text, so that fields which are as
 * expected can be left out. Returns null if the step then fails in another way.
 */
async function narrowExpectation(
  scenario: ParsedScenario,
  failed: StepResult,
  replay: Replay,
): Promise<{ readonly scenario: ParsedScenario; readonly failed: StepResult } | null> {
  const index = failed.step - 1
  const step = scenario.steps[index]
  const expect = step && isRequestStep(step) ? narrow(step.expect) : null
  if (!expect) return null
  const steps = scenario.steps.with(index, { ...(step as RequestStep), expect })
  const narrowed = freezeParsed({ ...scenario, steps })
  const found = findFailure(await replay(narrowed, { ...options, until: failed.step }))
  const isSame = found?.step === failed.step && found.response?.status === failed.response?.status
  return found && isSame ? { scenario: narrowed, failed: found } : null
}

function narrow(expect: RequestStep['expect']): RequestStep['expect'] | null {
  if (!expect) return null
  const { exact_body, text, ...rest } = expect
  if (exact_body !== undefined) return { ...rest, body: exact_body }
  const json = typeof text === 'string' ? tryParseJson(text) : undefined
  return json ? { ...rest, body: escapeLiterals(json.value) } : null
}

function describeDifference(difference: StepDifference): string {
  const { expected, got } = formatDifference(difference)
  return `${difference.where}: expected ${expected}, got ${got}`
}
