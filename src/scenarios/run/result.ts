import type { Evidence } from '../../policies/policy.ts'
import { type Difference, formatLengths } from '../../utils/diff.ts'
import { escapeControls } from '../../utils/escape.ts'
import { inspectValue } from '../../utils/usage-error.ts'
import { describeExpected, diffWithMatchers } from '../format/compare.ts'

/** The result of a replay. */
export interface ReplayResult {
  readonly title: string
  /** Whether all steps passed: no step failed, and no step was skipped */
  readonly passed: boolean
  /** The base URL of the target */
  readonly base_url: string
  readonly ms: number
  /** Set for a service other than Understudy, and for a server that was reached with `key` or `keys` */
  readonly external?: true
  /** The name of the world that the replay started with, if the scenario names none and bodies differ */
  readonly assumed_world?: string
  /** The executed and the skipped steps */
  readonly steps: readonly StepResult[]
}

/** The result of a step. */
export interface StepResult {
  /** Counted from 1 */
  readonly step: number
  /** The title of the step, or a short description */
  readonly title: string
  /**
   * `passed`: as expected. `failed`: not as expected. `skipped`: a value that the step needs was not saved.
   * `prepared`: executed for a later step, but not compared
   */
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'prepared'
  readonly ms: number
  /** Null for a change of the world, and for a skipped step */
  readonly request: { readonly method: string; readonly url: string } | null
  /** Null if no request was sent */
  readonly response: StepResponse | null
  readonly differences: readonly StepDifference[]
  /** Why the response is as it is, and what the operation ignored. Only of failed steps */
  readonly reasons?: readonly string[]
  /**
   * The policies that decide the differences: with another setting of any one of them, or of all of them if `alone`
   * is false, the step passes
   */
  readonly decided_by: readonly DecidingPolicy[]
  /** Why `decided_by` is empty although the response differs, as a clause */
  readonly undecided?: string
  /** Set for another service: a simulation responds as expected, and with no setting like the service */
  readonly unexplained?: true
  /** The ids of all policies that the response used. Empty if the step passed, or if they are unknown */
  readonly policies: readonly string[]
}

/** A received response. */
export interface StepResponse {
  /** 0 if the connection broke */
  readonly status: number
  /** The body */
  readonly text: string
}

/** A difference. Its path leads to a part of the step: `['expect', 'body', 'content']`. */
export interface StepDifference extends Difference {
  /** The part that differs: `status`, `body.content`, `save.id` */
  readonly where: string
  /** Whether `expected` and `got` are descriptions, not values */
  readonly inWords?: true
}

/** A policy that decides whether a step passes. */
export interface DecidingPolicy {
  readonly id: string
  readonly setting: string | number
  /** The setting with which the step passes */
  readonly would_be: string | number
  /** Whether this policy decides alone. Otherwise all policies of the list must change */
  readonly alone: boolean
  /** Set for another service: it responds as a simulation does with `setting` */
  readonly simulated?: true
  /** Set if the response differs from the expected one in other parts, too */
  readonly partial?: true
  readonly evidence: Evidence
  readonly source: string
}

/** The clause of `undecided` that is certain. */
export const failsAnyway = 'with every other setting this step fails, too'

const marks = { passed: '✓', failed: '✗', skipped: '-', prepared: '·' } as const

/**
 * Formats the result of a replay as text: each step, its differences, and the policies that decide them.
 *
 * @example console.log(scenarioReport(await simulator.replay(scenario)))
 */
export function scenarioReport(result: ReplayResult): string {
  const lines = result.steps.map((step) => formatStep(step))
  return [escapeControls(result.title), ...lines, `  ${formatSummary(result)}`].join('\n')
}

/** Formats a step with its differences. */
export function formatStep(step: StepResult): string {
  return [
    `  ${marks[step.outcome]} ${step.step} ${escapeControls(step.title)}`,
    ...formatDetails(step),
  ].join('\n')
}

/** Formats the number of steps by outcome. */
export function formatSummary({ steps }: ReplayResult): string {
  const count = (outcome: StepResult['outcome']): number =>
    steps.filter((step) => step.outcome === outcome).length
  const compared = steps.length - count('prepared')
  const parts = [`${count('passed')} of ${compared} ${compared === 1 ? 'step' : 'steps'} passed`]
  for (const outcome of ['failed', 'skipped'] as const) {
    if (count(outcome) > 0) parts.push(`${count(outcome)} ${outcome}`)
  }
  return `${parts.join(', ')}.`
}

/** The lines below a step with differences. */
export function formatDetails(step: StepResult): string[] {
  const { request, differences, reasons = [], decided_by, undecided, policies } = step
  const decisions = decided_by[0]?.alone === false ? [decided_by] : decided_by.map((p) => [p])
  const isSure = undecided === failsAnyway
  const unknown = isSure ? 'No policy decides this' : 'No deciding policy is known'
  if (differences.length === 0) return []
  return [
    ...(request ? [escapeControls(`      ${request.method} ${request.url}`)] : []),
    ...differences.flatMap((difference) => {
      const { expected, got } = formatDifference(difference)
      return [
        escapeControls(`      ${difference.where}`),
        escapeControls(`        expected ${expected}`),
        escapeControls(`        got      ${got}`),
      ]
    }),
    ...reasons.map((reason) => escapeControls(`      ${reason}`)),
    ...decisions.map(formatDecision),
    ...(undecided === undefined ? [] : [`      ${unknown}: ${undecided}.`]),
    ...(decided_by.length === 0 && !isSure && policies.length > 0
      ? [`      policies: ${policies.join(', ')}`]
      : []),
  ]
}

/** @param decided one policy, or those that decide together */
function formatDecision(decided: readonly DecidingPolicy[]): string {
  const due = decided.length === 1 ? 'due to policy' : 'partly due to policies'
  const cause = decided[0]?.simulated
    ? `the service responds as with ${decided.length === 1 ? 'policy' : 'policies'}`
    : due
  const settings = decided.map((p) => `${p.id} = ${p.setting} (${p.source || p.evidence})`)
  const others = decided.map(({ would_be }) => String(would_be))
  const list = new Intl.ListFormat('en-GB')
  if (decided[0]?.partial) {
    return `      ${cause} ${list.format(settings)}, but other parts differ, too`
  }
  return `      ${cause} ${list.format(settings)}; with ${list.format(others)} this step would pass`
}

/** How many characters of a long text are shown before the first difference. */
const contextLength = 20

/** Formats the expected and the actual value. Of two texts, only the part from the first difference is shown. */
export function formatDifference(difference: StepDifference): Record<'expected' | 'got', string> {
  const { expected, got, inLength, inWords } = difference
  if (inWords) return { expected: String(expected), got: String(got) }
  if (inLength) {
    const isExact = difference.path[1] === 'exact_body'
    const isSame = (a: unknown, b: unknown): boolean => diffWithMatchers(a, b, isExact).length === 0
    return formatLengths(difference, describeExpected, isSame)
  }
  if (typeof expected === 'string' && typeof got === 'string') {
    const from = Math.max(0, commonPrefixLength(expected, got) - contextLength)
    return { expected: cut(expected, from), got: cut(got, from) }
  }
  return { expected: describeExpected(expected), got: inspectValue(got) }
}

/** Does not cut off a short beginning. */
function cut(text: string, from: number): string {
  return from < contextLength ? inspectValue(text) : `…${inspectValue(text.slice(from))}`
}

function commonPrefixLength(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at
}
