import { inspectValue } from '../../utils/usage-error.ts'
import { describeExpected } from '../format/matchers.ts'
import type { DecidingPolicy, ReplayResult, StepDifference, StepResult } from './result.ts'

const marks = { passed: '✓', failed: '✗', skipped: '-', prepared: '·' } as const

/**
 * Formats the result of a replay as text: each step, its differences, and the policies that decide the first one.
 *
 * @example console.log(scenarioReport(await simulator.replay(scenario)))
 */
export function scenarioReport(result: ReplayResult): string {
  const lines = result.steps.map((step) => formatStep(step))
  return [result.title, ...lines, `  ${formatSummary(result)}`].join('\n')
}

/** Formats a step with its differences. */
export function formatStep(step: StepResult): string {
  return [`  ${marks[step.outcome]} ${step.step} ${step.title}`, ...formatDetails(step)].join('\n')
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
  const { request, differences, decided_by, policies } = step
  if (differences.length === 0) return []
  return [
    ...(request ? [`      ${request.method} ${request.url}`] : []),
    ...differences.flatMap((difference) => {
      const { expected, got } = formatDifference(difference)
      return [
        `      ${difference.where}`,
        `        expected ${expected}`,
        `        got      ${got}`,
      ]
    }),
    ...decided_by.map(formatDecision),
    ...(decided_by.length === 0 && policies.length > 0
      ? [`      policies: ${policies.join(', ')}`]
      : []),
  ]
}

function formatDecision({ alone, ...policy }: DecidingPolicy): string {
  const { id, setting, would_be, evidence, source } = policy
  const [decides, together] = alone
    ? ['decided', '']
    : ['decided in part', ', together with the others']
  return `      ${decides} by ${id} = ${setting} (${source || evidence}); as expected with ${would_be}${together}`
}

/** How many characters of a long text are shown before the first difference. */
const contextLength = 20

/** Formats the expected and the actual value. Of two texts, only the part from the first difference is shown. */
export function formatDifference({
  expected,
  got,
  inLength,
  inWords,
}: StepDifference): Record<'expected' | 'got', string> {
  if (inWords) return { expected: String(expected), got: String(got) }
  if (inLength) {
    return { expected: formatItemCount(expected), got: formatItemCount(got) }
  }
  if (typeof expected === 'string' && typeof got === 'string') {
    const from = Math.max(0, commonPrefixLength(expected, got) - contextLength)
    return { expected: cut(expected, from), got: cut(got, from) }
  }
  return { expected: describeExpected(expected), got: inspectValue(got) }
}

function formatItemCount(list: unknown): string {
  const { length } = list as readonly unknown[]
  return length === 1 ? '1 item' : `${length} items`
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
