import type { DecidingPolicy, ReplayResult, StepDifference, StepResult } from './result.ts'
import { formatDifference } from './shown-pair.ts'

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
