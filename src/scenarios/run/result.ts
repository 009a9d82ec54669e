import type { JournalSetting } from '../../simulator/journal/entry.ts'
import { escapeControls, formatCount } from '../../utils/text.ts'
import type { StepWarning } from '../recording/step-warnings.ts'
import {
  countFieldsOfOneSide,
  formatDifference,
  groupDifferences,
  isOfOneSide,
  type StepDifference,
} from './differences.ts'

/** The result of a run. */
export interface RunResult {
  readonly title: string
  /** Whether all steps passed: no step failed, and no step was skipped */
  readonly passed: boolean
  /** The base URL of the target */
  readonly base_url: string
  readonly ms: number
  /** Set for a service other than Understudy, and for a server that was reached with `key` or `keys` */
  readonly external?: true
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
   * The settings that decide the differences: with another value of any one of them, or of all of them if `alone`
   * is false, the step passes
   */
  readonly decided_by: readonly DecidingSetting[]
  /** Why `decided_by` is empty although the response differs */
  readonly undecided?: Undecided
  /** The ids of all settings that the response used. Empty if the step passed, or if they are unknown */
  readonly settings: readonly string[]
}

/** A received response. */
export interface StepResponse {
  /** 0 if the connection broke */
  readonly status: number
  /** The body */
  readonly text: string
}

/** A setting that decides whether a step passes. */
export interface DecidingSetting extends JournalSetting {
  /** The value with which the step passes */
  readonly would_be: string | number
  /** Whether this setting decides alone. Otherwise all settings of the list must change */
  readonly alone: boolean
}

/**
 * Why no setting is known that decides a difference:
 * - `fails_anyway` the step fails with every other value, too
 * - `may_follow` so it does, but an earlier write failed, too
 * - `passes_again` it passes when the scenario runs once more
 * - `foreign` the service is none of Understudy, and does not show its settings
 */
export interface Undecided {
  readonly why: 'fails_anyway' | 'may_follow' | 'passes_again' | 'foreign'
}

const undecidedSentences: Readonly<Record<Undecided['why'], string>> = {
  fails_anyway: 'No setting decides this: with every other value this step fails, too.',
  may_follow:
    'No deciding setting is known: with every other value this step fails, too; the write that failed before it may be the cause.',
  passes_again: 'No deciding setting is known: this step passes when the scenario runs once more.',
  foreign:
    'No deciding setting is known: a service does not show its settings; understudy-api compare finds them.',
}

const marks = { passed: '✓', failed: '✗', skipped: '-', prepared: '·' } as const

/**
 * Formats the result of a run as text: each step, its differences, and the settings that decide them.
 *
 * @example console.log(scenarioReport(await simulator.run(scenario)))
 */
export function scenarioReport(result: RunResult): string {
  const lines = result.steps.map((step) => formatStep(step))
  return [escapeControls(result.title), ...lines, `  ${formatSummary(result)}`].join('\n')
}

/** What a part of a printed step says, which can decide its colour. */
export type StepPart = StepResult['outcome'] | 'expected' | 'got' | 'decision'

type PaintPart = (part: StepPart, text: string) => string

/** Formats a step with its differences. @param paint colours a part */
export function formatStep(step: StepResult, paint: PaintPart = withoutColour): string {
  return [
    `  ${paint(step.outcome, marks[step.outcome])} ${step.step} ${escapeControls(step.title)}`,
    ...formatDetails(step, paint),
  ].join('\n')
}

/** Formats the number of steps by outcome. */
export function formatSummary({ steps }: Pick<RunResult, 'steps'>): string {
  const count = (outcome: StepResult['outcome']): number =>
    steps.filter((step) => step.outcome === outcome).length
  const compared = steps.length - count('prepared')
  const parts = [`${count('passed')} of ${compared} steps passed`]
  for (const outcome of ['failed', 'skipped'] as const) {
    if (count(outcome) > 0) parts.push(`${count(outcome)} ${outcome}`)
  }
  return `${parts.join(', ')}.`
}

const shownFailures = 10

/** Names the steps that do not pass, and what differs first. Fields that only one side has are named once. @param how what they do */
export function describeFailedSteps(
  { steps }: Pick<RunResult, 'steps'>,
  how = 'does not replay as recorded',
): StepWarning[] {
  const failed = steps.filter(({ outcome }) => outcome === 'failed' || outcome === 'skipped')
  const others = failed.filter(
    ({ differences }) => differences.length === 0 || !differences.every(isOfOneSide),
  )
  const rest = others.length - shownFailures
  const sentences = [
    ...(rest > 0 ? [`${formatCount(rest, 'more step')} differ, too.`] : []),
    ...countFieldsOfOneSide(failed),
  ]
  return [
    ...others.slice(0, shownFailures).map(({ step, differences }) => {
      return { text: describeFailure(differences, how), steps: [step - 1] }
    }),
    ...sentences.map((text) => ({ text, steps: [] })),
  ]
}

function describeFailure(differences: readonly StepDifference[], how: string): string {
  const first = differences.find((difference) => !isOfOneSide(difference))
  if (!first) return '{steps} is not sent, because a value that it needs was not saved.'
  const { expected, got } = formatDifference(first)
  const rest = differences.length - 1
  const more = rest > 0 ? `, and ${formatCount(rest, 'more difference')}` : ''
  return `{steps} ${how}: expected ${first.where} ${expected}, got ${got}${more}.`
}

const withoutColour: PaintPart = (_part, text) => text

/** The lines below a step with differences. @param paint colours a part */
export function formatDetails(step: StepResult, paint: PaintPart = withoutColour): string[] {
  const { request, differences, reasons = [], decided_by, undecided, settings } = step
  const ids = [...new Set(decided_by.map(({ id }) => id))]
  const decisions =
    decided_by[0]?.alone === false
      ? [decided_by]
      : ids.map((id) => decided_by.filter((setting) => setting.id === id))
  const isOpen = decided_by.length === 0 && undecided?.why !== 'fails_anyway'
  if (differences.length === 0) return []
  return [
    ...(request ? [escapeControls(`      ${request.method} ${request.url}`)] : []),
    ...groupDifferences(differences).flatMap(({ difference, where }) => {
      const { expected, got } = formatDifference(difference)
      return [
        escapeControls(`      ${where}`),
        `        ${paint('expected', escapeControls(`expected ${expected}`))}`,
        `        ${paint('got', escapeControls(`got      ${got}`))}`,
      ]
    }),
    ...reasons.map((reason) => escapeControls(`      ${reason}`)),
    ...[
      ...decisions.map(formatDecision),
      ...(undecided === undefined ? [] : [undecidedSentences[undecided.why]]),
    ].map((text) => `      ${paint('decision', text)}`),
    ...(isOpen && settings.length > 0 ? [`      settings: ${settings.join(', ')}`] : []),
  ]
}

/** @param decided one setting, with each value that passes, or those that decide together */
function formatDecision(decided: readonly DecidingSetting[]): string {
  const settings = new Set(decided.map((p) => `${p.id} = ${p.value} (${p.source || p.evidence})`))
  const due = settings.size === 1 ? 'due to setting' : 'partly due to settings'
  const others = decided.map(({ would_be }) => String(would_be))
  const all = new Intl.ListFormat('en-GB')
  const any = new Intl.ListFormat('en-GB', { type: 'disjunction' })
  const values = (decided[0]?.alone ? any : all).format(others)
  return `${due} ${all.format(settings)}; with ${values} this step would pass`
}
