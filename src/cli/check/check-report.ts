import type { SoftDeleted } from '../../analysis/observe/created-rows.ts'
import type { Extension } from '../../utils/reports/printers.ts'
import type {
  Finding,
  Item,
  PageFinding,
  Report,
  Section,
  TestCase,
  Tone,
} from '../../utils/reports/report.ts'
import { type CheckedStep, failing, summarize, type Verdict, verdictWords } from './verdict.ts'

export const checkExtensions: readonly Extension[] = ['html', 'json', 'md', 'xml', 'sarif']

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
    sarif: {
      command: 'understudy check',
      rules: failing.map((id) => ({ id, sentence: `The step ${verdictWords[id][0]}.` })),
      findings: checked.filter(({ verdict }) => failing.includes(verdict)).map(toFinding),
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

function toFinding({ title, verdict, details }: CheckedStep): Finding {
  const message = `${title}: ${verdictWords[verdict][0]}.`
  return { rule: verdict, level: 'error', message, details }
}

/** Says which annotations the server shows although they are soft-deleted: a sentence for each list. */
export function describeSoftDeleted(rows: readonly SoftDeleted[]): string[] {
  return [...new Set(rows.map(({ list }) => list))].map((list) => {
    const ids = rows.filter((row) => row.list === list).map(({ id }) => id)
    const stay = ids.length === 1 ? 'annotation stays' : 'annotations stay'
    return `${ids.length} ${stay} in ${list}, soft-deleted: ${ids.join(', ')}.`
  })
}
