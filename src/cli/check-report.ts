import { type PolicyId, policies } from '../policies/policies.ts'
import { type DecidingPolicy, formatStep, type StepResult } from '../scenarios/run/result.ts'
import { escapeControls } from '../utils/escape.ts'
import type { CommandContext } from './command-context.ts'

/** What a step shows. `unclear`: its difference may have another reason, such as other rows. */
export type Verdict =
  | 'documentation'
  | 'live service'
  | 'other answer'
  | 'contradiction'
  | 'unclear'
  | 'no response'
  | 'skipped'
  | 'not run'

export interface CheckedStep {
  readonly scenario: string
  readonly step: number
  readonly title: string
  readonly verdict: Verdict
  readonly policies: readonly DecidingPolicy[]
  /** Why the step was not run, as a clause */
  readonly reason?: string
}

/** @param marker the word that only rows of this check contain */
export function judge(step: StepResult, isBroken: boolean, marker: string): Verdict {
  const { outcome, decided_by, unexplained } = step
  if (outcome === 'passed') return 'documentation'
  if (outcome !== 'failed') return 'skipped'
  if (isBroken) return 'no response'
  const isLive = decided_by.some(({ id, setting }) => policies[id as PolicyId]?.live === setting)
  if (isLive) return 'live service'
  if (decided_by.length > 0) return 'other answer'
  return unexplained && !mayListOtherRows(step, marker) ? 'contradiction' : 'unclear'
}

/** Whether a step differs only in the rows of a list that can contain other rows. */
function mayListOtherRows({ request, differences }: StepResult, marker: string): boolean {
  if (request?.method !== 'GET' || request.url.includes(marker)) return false
  return differences.every(({ path }) =>
    ['count', 'next', 'previous', 'results'].includes(String(path[2])),
  )
}

/** By the number of steps: of one, and of more. */
const words: Readonly<Record<Verdict, readonly [string, string]>> = {
  documentation: ['is as the documentation says', 'are as the documentation says'],
  'live service': [
    'is as the live service was seen to respond',
    'are as the live service was seen to respond',
  ],
  'other answer': [
    'is another answer that the documentation leaves open',
    'are other answers that the documentation leaves open',
  ],
  contradiction: [
    'contradicts the documentation, and no policy explains it',
    'contradict the documentation, and no policy explains them',
  ],
  unclear: ['differs, maybe because of other rows', 'differ, maybe because of other rows'],
  'no response': ['got no response', 'got no response'],
  skipped: [
    'was not sent, because an earlier step failed',
    'were not sent, because an earlier step failed',
  ],
  'not run': ['was not run', 'were not run'],
}

export function printStep(step: StepResult, verdict: Verdict, context: CommandContext): void {
  const tone =
    verdict === 'documentation' ? 'good' : verdict === 'contradiction' ? 'bad' : 'warning'
  context.print(formatStep(step))
  if (verdict !== 'documentation') context.print(`      ${context.paint(tone, words[verdict][0])}`)
}

export function printStepNotRun(step: CheckedStep, context: CommandContext): void {
  context.print(`  - ${step.step} ${escapeControls(step.title)}`)
  context.print(`      ${context.paint('faint', `not run: ${step.reason}`)}`)
}

export function summarize(checked: readonly CheckedStep[]): string {
  const counts = (Object.keys(words) as Verdict[]).flatMap((verdict) => {
    const count = checked.filter((step) => step.verdict === verdict).length
    if (count === 0) return []
    return [count === 1 ? `1 step ${words[verdict][0]}` : `${count} steps ${words[verdict][1]}`]
  })
  const isNothing = checked.every(({ verdict }) => verdict === 'not run')
  return `${isNothing ? 'No step was sent. ' : ''}${counts.join('; ')}.`
}
