import { evidences } from '../explain/evidence.ts'
import type { Evidence } from '../settings/evidence.ts'
import type { RunReport } from '../simulator/run-report.ts'
import {
  alignColumns,
  type Finding,
  type FindingLevel,
  formatFinding,
  type Report,
  type RuleDescription,
  type TestCase,
} from '../utils/reports/report.ts'
import { formatCount } from '../utils/text.ts'
import { describeMistakes, isFailing, type MistakeMode } from './mistake-lines.ts'

/** A rule about clients. */
export type MistakeRule = RuleDescription & { readonly level: FindingLevel }

const cure = 'Run it under the other plausible values: npx understudy-api sweep.'

/** The rules about the evidence of what a run depends on. */
const evidenceRules: readonly (RuleDescription & { readonly id: Evidence })[] = [
  { id: 'assumed', sentence: 'The run depends on an assumption.', cure },
  {
    id: 'source',
    sentence: "The run depends on the service's source, where the documentation is silent.",
    cure,
  },
]

/** What fails a run. */
export interface Criteria {
  readonly mistakes: MistakeMode
  /** Single rules: those about clients, `assumed` and `source` */
  readonly failOn: readonly string[]
  /** All rules about clients */
  readonly rules: readonly MistakeRule[]
}

/** The rules that `failOn` can name. */
export function namedRules(rules: readonly MistakeRule[]): string[] {
  return [...evidenceRules, ...rules].map(({ id }) => id)
}

/**
 * Converts the report of a run for printers, mistakes first.
 *
 * @param command what ran, such as `npx understudy-api exec -- npm test`
 */
export function runToReport(report: RunReport, command: string, criteria: Criteria): Report {
  const title = 'What the client did wrong, and what the run depends on'
  return {
    title,
    text: [command, report.requests === 0 ? nothing : formatReport(report)].join('\n\n'),
    json: report,
    junit: {
      name: 'understudy report',
      suites: [{ name: title, cases: toCases(report, criteria) }],
    },
  }
}

const nothing =
  'The run sent no requests to the API that it was given. Tests with simulators of their own report themselves: add understudy-api/vitest/reporter or understudy-api/playwright/reporter to the reporters of the test runner.'

/** Formats a report as text: what {@link summarizeReport} says, and what the run depends on. */
function formatReport(report: RunReport): string {
  const mistakes = describeMistakes(report.mistakes, Number.POSITIVE_INFINITY)
  const settings = evidences.map((evidence) => formatSettings(report, evidence))
  const parts = [[countRequests(report)], mistakes, notChecked(report), ...settings]
  return parts.flatMap((lines) => (lines.length === 0 ? [] : lines.join('\n'))).join('\n\n')
}

function formatSettings({ settings }: RunReport, evidence: Evidence): string[] {
  const rows = settings
    .filter((setting) => setting.evidence === evidence)
    .map(({ id, values, requests, source }) => [id, values.join(', '), `${requests}`, source])
  if (rows.length === 0) return []
  const columns = ['Setting', 'Value', 'Requests', 'Source']
  return [`Settings that are ${evidence}`, ...alignColumns([columns, ...rows])]
}

function notChecked({ not_checked }: RunReport): string[] {
  return Object.entries(not_checked).map(
    ([rule, count]) =>
      `Not checked: ${rule}: ${formatCount(count, 'request')}, because the journal did not keep a body. Raise the limit journal.body.`,
  )
}

function countRequests({ requests, not_covered }: RunReport): string {
  if (requests === 0) return 'The run sent no requests to the API.'
  const before = not_covered > 0 ? ` ${not_covered} earlier ones are not covered.` : ''
  return `Requests: ${requests}.${before}`
}

/** Summarizes a report for a terminal: its mistakes. The rest is in files. */
export function summarizeReport(report: RunReport, mode: MistakeMode = 'print'): string[] {
  return [
    ...(mode === 'off' ? [] : describeMistakes(report.mistakes)),
    countRequests(report),
    ...(mode === 'off' ? [] : notChecked(report)),
  ]
}

/** A case for each rule. A rule that was broken without failing the run is skipped. */
function toCases(report: RunReport, criteria: Criteria): TestCase[] {
  const failures = listFailures(report, criteria)
  return [...evidenceRules, ...criteria.rules].map(({ id, sentence }): TestCase => {
    const findings = listFindings(report).filter(({ rule }) => rule === id)
    const message = failures.find(({ rule }) => rule === id)?.message
    const text = findings.flatMap(formatFinding).join('\n')
    const testCase = { name: id, classname: 'understudy' }
    if (message !== undefined)
      return { ...testCase, problem: { kind: 'failure', message, type: id, text } }
    if (findings.length === 0) return testCase
    return { ...testCase, problem: { kind: 'skipped', message: `${sentence}\n${text}` } }
  })
}

/** The client mistakes, and what the run depends on that the documentation does not say. */
function listFindings({ mistakes, settings }: RunReport): Finding[] {
  const reasons = settings.flatMap(({ id, values, evidence, source }): Finding[] => {
    if (evidence === 'documented') return []
    const level = evidence === 'assumed' ? 'warning' : 'note'
    const message = `Only ${evidence}: the setting ${id} = ${values.join(', ')}.`
    return [{ rule: evidence, level, message, evidence, source }]
  })
  return [...mistakes, ...reasons]
}

/** A rule that a run breaks, and why. */
interface UnmetCriterion {
  readonly rule: string
  readonly message: string
}

/** @returns why the run fails: one for each rule that it breaks. A run without requests breaks every rule */
export function listFailures(report: RunReport, criteria: Criteria): UnmetCriterion[] {
  const { mistakes, failOn, rules } = criteria
  const clientRules = mistakes === 'fail' ? rules.filter(isFailing).map(({ id }) => id) : []
  const failing = [...new Set([...clientRules, ...failOn])]
  if (failing.length > 0 && report.requests === 0) {
    const checked = [...(mistakes === 'fail' ? ['mistakes'] : []), ...failOn].join(', ')
    return [{ rule: '', message: `The run fails: nothing was checked for ${checked}.` }]
  }
  const findings = listFindings(report)
  return failing.flatMap((rule) => {
    const breaches = findings.filter((finding) => finding.rule === rule)
    const [first, ...rest] = clientRules.includes(rule) ? breaches.filter(isFailing) : breaches
    if (!first) return []
    const more = rest.length === 0 ? '' : ` (and ${rest.length} more)`
    return [{ rule, message: `The run breaks the rule ${rule}. ${first.message}${more}` }]
  })
}
