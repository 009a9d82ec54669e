import { inspectValue } from '../../utils/usage-error.ts'
import { describeExpected } from '../format/matchers.ts'
import type { DecidingPolicy, ReplayResult, StepDifference, StepResult } from './result.ts'

const marks = { held: '✓', differed: '✗', skipped: '-', prepared: '·' } as const

/**
 * What came of a replay, as a text to read: each step, each difference, and which policy decides the first one.
 *
 * @example console.log(scenarioReport(await simulator.replay(scenario)))
 */
export function scenarioReport(result: ReplayResult): string {
  const lines = result.steps.map((step) => formatStep(step))
  return [result.title, ...lines, `  ${formatSummary(result)}`].join('\n')
}

/** One step, and what was not as expected of it. */
export function formatStep(step: StepResult): string {
  return [`  ${marks[step.outcome]} ${step.step} ${step.title}`, ...formatDetails(step)].join('\n')
}

/** How many steps came to what. */
export function formatSummary({ steps }: ReplayResult): string {
  const count = (outcome: StepResult['outcome']): number =>
    steps.filter((step) => step.outcome === outcome).length
  const [held, differed, skipped, prepared] = [
    count('held'),
    count('differed'),
    count('skipped'),
    count('prepared'),
  ]
  const compared = steps.length - prepared
  const parts = [
    `${held} of ${compared} ${compared === 1 ? 'step' : 'steps'} as expected`,
    ...(differed > 0 ? [`${differed} differed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
  return `${parts.join(', ')}.`
}

/** The lines below a step that was not as expected. */
export function formatDetails(step: StepResult): string[] {
  const { request, differences, decided_by, policies } = step
  if (differences.length === 0) return []
  return [
    ...(request ? [`      ${request.method} ${request.url}`] : []),
    ...differences.flatMap(formatDifferenceLines),
    ...decided_by.map(formatDecision),
    ...(decided_by.length === 0 && policies.length > 0
      ? [`      answered by ${policies.join(', ')}`]
      : []),
  ]
}

function formatDifferenceLines(difference: StepDifference): string[] {
  const { expected, got } = formatDifference(difference)
  const lines = [`        expected ${expected}`, `        got      ${got}`]
  return [`      ${difference.where}`, ...lines]
}

function formatDecision({
  id,
  setting,
  would_be,
  evidence,
  source,
  alone,
}: DecidingPolicy): string {
  const [decides, together] = alone ? ['decided', ''] : ['decided in part', ' beside the others']
  return `      ${decides} by ${id} = ${setting} (${evidence}: ${source}); as expected with ${would_be}${together}`
}

/** How much of a long text is shown before the place where it begins to differ. */
const contextLength = 20

/** What was expected and what came, as a report shows them: of two long texts the part where they differ. */
export function formatDifference({ expected, got, inLength, inWords }: StepDifference): {
  expected: string
  got: string
} {
  if (inWords) return { expected: String(expected), got: String(got) }
  if (inLength) {
    const [wanted, found] = [expected, got] as [readonly unknown[], readonly unknown[]]
    return { expected: formatItemCount(wanted), got: formatItemCount(found) }
  }
  if (typeof expected === 'string' && typeof got === 'string') {
    const from = Math.max(0, commonPrefixLength(expected, got) - contextLength)
    return { expected: cut(expected, from), got: cut(got, from) }
  }
  return { expected: describeExpected(expected), got: inspectValue(got) }
}

function formatItemCount({ length }: readonly unknown[]): string {
  return length === 1 ? '1 item' : `${length} items`
}

/** Short beginnings are not cut away. */
function cut(text: string, from: number): string {
  return from < contextLength ? inspectValue(text) : `…${inspectValue(text.slice(from))}`
}

function commonPrefixLength(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at
}
