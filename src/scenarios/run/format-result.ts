import { groupBy } from '../../utils/latest-map.ts'
import type { Report, TestCase, TestSuite } from '../../utils/reports/report.ts'
import { escapeControls, formatCount } from '../../utils/text.ts'
import type { StepWarning } from '../recording/recorder.ts'
import { countFieldsOfOneSide, fieldOf, formatDifference, isOfOneSide } from './differences.ts'
import type { DecidingSetting, RunResult, StepDifference, StepResult, Undecided } from './result.ts'

const undecidedSentences: Readonly<Record<Undecided['why'], string>> = {
  fails_anyway:
    'No single setting decides this: with every other value of one, this step fails, too.',
  may_follow:
    'No deciding setting is known: with every other value this step fails, too; the step that failed before it may be the cause.',
  foreign:
    'No deciding setting is known: a service does not show its settings; understudy-api compare finds them.',
}

const marks = { passed: '✓', failed: '✗', skipped: '-' } as const

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

export function formatSummary({ steps }: Pick<RunResult, 'steps'>): string {
  const count = (outcome: StepResult['outcome']) =>
    steps.filter((step) => step.outcome === outcome).length
  const parts = [`${count('passed')} of ${steps.length} steps passed`]
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
  const failed = steps.filter(({ outcome }) => outcome !== 'passed')
  const others = failed.filter(
    ({ differences }) => differences.length === 0 || !differences.every(isOfOneSide),
  )
  const rest = others.length - shownFailures
  const sentences = [
    ...(rest > 0 ? [`Not shown: ${formatCount(rest, 'more step')}.`] : []),
    ...countFieldsOfOneSide(failed),
  ]
  return [
    ...others.slice(0, shownFailures).map(({ step, differences }) => {
      return { text: describeFailure(differences, how), steps: [step - 1] }
    }),
    ...sentences.map((text) => ({ text, steps: [] })),
  ]
}

function describeFailure(differences: readonly StepDifference[], how: string) {
  const first = differences.find((difference) => !isOfOneSide(difference))
  if (!first) return '{steps} is not sent, because a value that it needs was not saved.'
  const { expected, got } = formatDifference(first)
  const rest = differences.length - 1
  const more = rest > 0 ? `, and ${formatCount(rest, 'more difference')}` : ''
  return `{steps} ${how}: expected ${first.where} ${expected}, got ${got}${more}.`
}

const withoutColour: PaintPart = (_part, text) => text

/** The lines below a step with differences. @param paint colours a part */
function formatDetails(step: StepResult, paint: PaintPart = withoutColour) {
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
function formatDecision(decided: readonly DecidingSetting[]) {
  const settings = new Set(decided.map((p) => `${p.id} = ${p.value} (${p.source})`))
  const due = settings.size === 1 ? 'due to setting' : 'partly due to settings'
  const others = decided.map(({ would_be }) => String(would_be))
  const all = new Intl.ListFormat('en-GB')
  const any = new Intl.ListFormat('en-GB', { type: 'disjunction' })
  const values = (decided[0]?.alone ? any : all).format(others)
  return `${due} ${all.format(settings)}; with ${values} this step would pass`
}

/** Groups the differences of rows in the same field: a field that only one side has, or the same two values. */
function groupDifferences(differences: readonly StepDifference[]) {
  const groups = groupBy(differences, (difference) => {
    const { expected, got } = formatDifference(difference)
    const sides = isOfOneSide(difference) ? [difference.got === undefined] : [expected, got]
    return JSON.stringify([fieldOf(difference), ...sides])
  })
  return [...groups.values()].map((group) => {
    const [difference] = group as [StepDifference]
    const { where } = difference
    if (group.length === 1) return { difference, where }
    return { difference, where: `${where.replace(/\[\d+\]/g, '[]')}, ${group.length} times` }
  })
}

export interface ReplayedFile {
  readonly file: string
  /** Null if the target did not respond, or the user interrupted the replay */
  readonly result: RunResult | null
  /** Whether all steps passed, or were updated */
  readonly accepted: boolean
  /** Why there is no result: the target did not respond, or the user interrupted the replay */
  readonly error: string | null
}

/** Converts the results of a replay for printers. For JUnit, a file is a suite and a step is a case. */
export function replayToReport(replayed: readonly ReplayedFile[]): Report {
  const passed = replayed.filter(({ result }) => result?.passed).length
  return {
    title: `Replay: ${passed} of ${replayed.length} scenarios passed`,
    text: replayed.map(toText).join('\n\n'),
    json: replayed,
    junit: { name: 'understudy replay', suites: replayed.map(toSuite) },
  }
}

function toText({ file, result, error }: ReplayedFile) {
  return `${escapeControls(file)}: ${result ? scenarioReport(result) : error}`
}

function toSuite({ file, result, error }: ReplayedFile): TestSuite {
  const cases = (result?.steps ?? []).map((step): TestCase => {
    const problem = toProblem(step)
    const name = `${step.step} ${step.title}`
    return { name, classname: file, ms: step.ms, ...(problem && { problem }) }
  })
  if (error !== null) {
    const problem = { kind: 'error', message: error } as const
    cases.push({ name: 'replay', classname: file, problem })
  }
  return { name: result?.title ?? file, ms: result?.ms ?? 0, cases }
}

function toProblem(step: StepResult): TestCase['problem'] | null {
  if (step.outcome === 'passed') return null
  const message = step.differences.map(({ where }) => where).join(', ')
  if (step.outcome === 'skipped') return { kind: 'skipped', message }
  return { kind: 'failure', message, type: 'difference', text: formatDetails(step).join('\n') }
}
