import { type PolicyId, policies } from '../../policies/policies.ts'
import { findReferences, savedNames } from '../../scenarios/format/check-scenario.ts'
import { isRequestStep, type Scenario, type Step } from '../../scenarios/format/scenario.ts'
import { type DecidingPolicy, formatStep, type StepResult } from '../../scenarios/run/result.ts'
import { isWrite } from '../../scenarios/run/target.ts'
import { escapeControls } from '../../utils/escape.ts'
import type { Paint } from '../command-context.ts'

/**
 * What a step shows. `unclear`: its difference may have another reason: other rows, or another time. `follow-up`: it differs by a
 * policy that an earlier step shows. `maybe follow-up`: an earlier step that it needs differs.
 */
export type Verdict =
  | 'as expected'
  | 'live service'
  | 'other answer'
  | 'contradiction'
  | 'follow-up'
  | 'maybe follow-up'
  | 'unclear'
  | 'no response'
  | 'skipped'
  | 'not run'

export interface CheckedStep extends Pick<StepResult, 'step' | 'title' | 'ms'> {
  readonly scenario: string
  readonly verdict: Verdict
  readonly policies: readonly DecidingPolicy[]
  /** Its differences, and what explains them, as lines */
  readonly details: readonly string[]
  /** Why the step was not run, as a clause */
  readonly reason?: string
}

/** Judges the steps of one scenario. */
interface ScenarioJudge {
  readonly judge: (step: StepResult, isBroken: boolean) => Verdict
  /** Whether an earlier step that a step needs differs without a reason, by the index of the step */
  readonly isDoubtful: (index: number) => boolean
}

/** Judges the steps of a check one after another, so that a difference and what follows from it count once. */
export class Judge {
  /** The policies that steps have shown, as `id=setting` */
  readonly #shown = new Set<string>()

  /** @returns functions that judge the steps of one scenario */
  begin({ steps }: Scenario): ScenarioJudge {
    /** The values that steps with differences saved. `*`: one of them wrote */
    const doubtful = new Set<string>()
    const isDoubtful = (index: number): boolean =>
      doubtful.has('*') ||
      findReferences(steps[index] as Step, []).some(({ name }) => doubtful.has(name))
    const judge = (step: StepResult, isBroken: boolean): Verdict => {
      const index = step.step - 1
      const source = steps[index] as Step
      const verdict = this.#judge(step, isBroken, isDoubtful(index))
      if (
        verdict === 'contradiction' ||
        verdict === 'maybe follow-up' ||
        verdict === 'no response' ||
        verdict === 'skipped'
      ) {
        for (const name of savedNames(source)) doubtful.add(name)
        if (!isRequestStep(source) || isWrite(source)) doubtful.add('*')
      }
      return verdict
    }
    return { judge, isDoubtful }
  }

  #judge(step: StepResult, isBroken: boolean, mayFollow: boolean): Verdict {
    const { outcome, decided_by, unexplained } = step
    if (outcome === 'passed') return 'as expected'
    if (outcome !== 'failed') return 'skipped'
    if (isBroken) return 'no response'
    const isPartial = decided_by.some(({ partial }) => partial)
    if (decided_by.length > 0 && !isPartial) return this.#judgePolicies(decided_by)
    if (!unexplained && !isPartial) return mayFollow ? 'maybe follow-up' : 'unclear'
    return mayFollow ? 'maybe follow-up' : 'contradiction'
  }

  #judgePolicies(decided: readonly DecidingPolicy[]): Verdict {
    const isShown = ({ id, setting }: DecidingPolicy): boolean =>
      this.#shown.has(`${id}=${setting}`)
    const follows = decided[0]?.alone ? decided.some(isShown) : decided.every(isShown)
    if (follows) return 'follow-up'
    for (const { id, setting } of decided) this.#shown.add(`${id}=${setting}`)
    const isLive = decided.some(({ id, setting }) => policies[id as PolicyId]?.live === setting)
    return isLive ? 'live service' : 'other answer'
  }
}

/** The verdicts that fail a check. */
export const failing: readonly Verdict[] = ['contradiction', 'no response']

/** By the number of steps: of one, and of more. */
export const verdictWords: Readonly<Record<Verdict, readonly [string, string]>> = {
  'as expected': ['responds as the scenario expects', 'respond as the scenario expects'],
  'live service': [
    'is as the live service was seen to respond',
    'are as the live service was seen to respond',
  ],
  'other answer': [
    'is another answer that the documentation leaves open',
    'are other answers that the documentation leaves open',
  ],
  contradiction: ['differs, and no policy explains it', 'differ, and no policy explains them'],
  'follow-up': [
    'differs as an earlier step does, by the same policy',
    'differ as earlier steps do, by the same policies',
  ],
  'maybe follow-up': [
    'differs, maybe because an earlier step does',
    'differ, maybe because an earlier step does',
  ],
  unclear: [
    'differs, maybe because of other rows or another time',
    'differ, maybe because of other rows or another time',
  ],
  'no response': ['got no response', 'got no response'],
  skipped: [
    'was not sent, because an earlier step failed',
    'were not sent, because an earlier step failed',
  ],
  'not run': ['was not run', 'were not run'],
}

/** A step whose status differs, without what follows from it: each field of the body. */
export function withStatusOnly(step: StepResult): StepResult {
  const status = step.differences.filter(({ where }) => where === 'status')
  return status.length > 0 ? { ...step, differences: status } : step
}

export function formatChecked(step: StepResult, verdict: Verdict, paint: Paint): string {
  if (verdict === 'as expected') return formatStep(step)
  const tone = verdict === 'contradiction' ? 'bad' : 'warning'
  return `${formatStep(step)}\n      ${paint(tone, verdictWords[verdict][0])}`
}

export function formatNotRun({ step, title, reason }: CheckedStep, paint: Paint): string {
  return `  - ${step} ${escapeControls(title)}\n      ${paint('faint', `not run: ${reason}`)}`
}

export function summarize(checked: readonly CheckedStep[]): string {
  const counts = (Object.keys(verdictWords) as Verdict[]).flatMap((verdict) => {
    const count = checked.filter((step) => step.verdict === verdict).length
    if (count === 0) return []
    return [
      count === 1
        ? `1 step ${verdictWords[verdict][0]}`
        : `${count} steps ${verdictWords[verdict][1]}`,
    ]
  })
  return `${isNothingSent(checked) ? 'No step was sent. ' : ''}${counts.join('; ')}.`
}

/** Whether nothing was checked. */
export function isNothingSent(checked: readonly CheckedStep[]): boolean {
  return checked.every(({ verdict }) => verdict === 'not run')
}
