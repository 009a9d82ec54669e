import type { SoftDeleted } from '../../analysis/observe/created-rows.ts'
import { type PolicyId, policies } from '../../policies/policies.ts'
import { findReferences, savedNames } from '../../scenarios/format/check-scenario.ts'
import { isRequestStep, type Scenario, type Step } from '../../scenarios/format/scenario.ts'
import { type DecidingPolicy, formatStep, type StepResult } from '../../scenarios/run/result.ts'
import { isWrite } from '../../scenarios/run/target.ts'
import { escapeControls } from '../../utils/escape.ts'
import type { Extension } from '../../utils/reports/printers.ts'
import type {
  Item,
  PageFinding,
  Report,
  Section,
  TestCase,
  Tone,
} from '../../utils/reports/report.ts'
import type { Paint } from '../command-context.ts'

/**
 * What a step shows. `unclear`: its difference may have another reason: other rows, or another time. `follow-up`: it differs by a
 * policy that an earlier step shows. `maybe follow-up`: an earlier step that it needs differs.
 */
type Verdict =
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
const verdictWords: Readonly<Record<Verdict, readonly [string, string]>> = {
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

export const checkExtensions: readonly Extension[] = ['html', 'json', 'xml']

/** What a check found. */
interface CheckResult {
  readonly checked: readonly CheckedStep[]
  /** Rows that stay in the server, or may, as sentences */
  readonly remaining: readonly string[]
  /** What the server does that no policy has, as sentences */
  readonly notes: readonly string[]
  /** For programs */
  readonly json: unknown
}

/** Converts a check for printers. For JUnit, a scenario is a suite and a step is a case. */
export function toReport({ checked, remaining, notes, json }: CheckResult): Report {
  const titles = [...new Set(checked.map(({ scenario }) => scenario))]
  const scenarios = titles.map((title) => ({
    title,
    steps: checked.filter(({ scenario }) => scenario === title),
  }))
  const differing = checked.filter(({ verdict }) => !quiet.includes(verdict))
  const verdicts = (Object.keys(verdictWords) as Verdict[]).map((verdict) => ({
    text: verdict,
    value: checked.filter((step) => step.verdict === verdict).length,
    tone: tones[verdict],
  }))
  return {
    title: 'A server, checked',
    intro: [...(checked.length > 0 ? [summarize(checked)] : []), ...notes, ...remaining],
    counts: verdicts.filter(({ value }) => value > 0),
    sections: [
      ...(differing.length > 0
        ? [{ title: 'What differs', blocks: differing.map(toArticle) }]
        : []),
      ...scenarios.map(({ title, steps }): Section => {
        return { title, blocks: [{ items: steps.map(toItem), isOrdered: true }] }
      }),
    ],
    json,
    junit: {
      name: 'understudy check',
      suites: scenarios.map(({ title, steps }) => ({
        name: title,
        ms: steps.reduce((sum, { ms }) => sum + ms, 0),
        cases: steps.map(toCase),
      })),
    },
  }
}

/** The verdicts of steps without a difference. */
const quiet: readonly Verdict[] = ['as expected', 'skipped', 'not run']

const tones: Readonly<Record<Verdict, Tone>> = {
  'as expected': 'ok',
  'live service': 'observed',
  'other answer': 'assumed',
  contradiction: 'bad',
  'follow-up': '',
  'maybe follow-up': '',
  unclear: '',
  'no response': 'bad',
  skipped: '',
  'not run': '',
}

/** A step that differs: what it shows, and the policies with which a simulator responds in the same way. */
function toArticle({ title, verdict, policies, details }: CheckedStep): PageFinding {
  const rows = policies.map(({ id, setting, would_be, evidence, source }) => [
    id,
    String(setting),
    { text: evidence, tone: evidence },
    source,
    String(would_be),
  ])
  const columns = ['Policy', 'This server', 'Evidence', 'Source', 'As expected with']
  return {
    finding: `${title}: ${verdictWords[verdict][0]}.`,
    label: { text: verdict, tone: tones[verdict] },
    blocks: [
      ...(rows.length > 0 ? [{ columns, rows }] : []),
      ...(details.length > 0 ? [{ lines: details }] : []),
    ],
  }
}

function toItem({ step, title, verdict, reason }: CheckedStep): Item {
  const outcome = verdict === 'as expected' ? 'passed' : failing.includes(verdict) ? 'failed' : ''
  return { text: `${step}. ${title}`, word: verdict, outcome, ...(reason && { lines: [reason] }) }
}

function toCase({ scenario, step, title, verdict, details, reason, ms }: CheckedStep): TestCase {
  const testCase = { name: `${step} ${title}`, classname: scenario, ms }
  if (verdict === 'as expected') return testCase
  const message = reason ?? verdictWords[verdict][0]
  const kind = failing.includes(verdict) ? 'failure' : 'skipped'
  return { ...testCase, problem: { kind, message, type: verdict, text: details.join('\n') } }
}

/** Says which annotations the server shows although they are soft-deleted: a sentence for each list. */
export function describeSoftDeleted(rows: readonly SoftDeleted[]): string[] {
  return [...new Set(rows.map(({ list }) => list))].map((list) => {
    const ids = rows.filter((row) => row.list === list).map(({ id }) => id)
    const stay = ids.length === 1 ? 'annotation stays' : 'annotations stay'
    return `${ids.length} ${stay} in ${list}, soft-deleted: ${ids.join(', ')}.`
  })
}
