import { evidences } from '../explain/evidence.ts'
import { clientRules } from '../mistakes/client-mistakes.ts'
import type { ClientMistake } from '../mistakes/rule.ts'
import type { Evidence } from '../settings/setting.ts'
import { escapeControls } from '../utils/escape.ts'
import type { Extension } from '../utils/reports/printers.ts'
import {
  type Finding,
  formatFinding,
  type Report,
  type RuleDescription,
  type Section,
  type TestCase,
} from '../utils/reports/report.ts'
import { nameKey } from './key-use.ts'
import type { ReportItem, RunReport, SettingItem } from './run-report.ts'

export const runReportExtensions: readonly Extension[] = ['html', 'json', 'xml']

const cure = 'Run it under the other plausible values: npx understudy-api sweep.'

/** The rules about the evidence of what a run exercised. */
const evidenceRules: readonly (RuleDescription & { readonly id: Evidence })[] = [
  { id: 'assumed', sentence: 'The run rests on an assumption.', cure },
  {
    id: 'observed',
    sentence: 'The run rests on an observation that the documentation lacks.',
    cure,
  },
]

/** The rules that a run can break. */
const reportRules: readonly RuleDescription[] = [...evidenceRules, ...clientRules]

/** The name of all rules about clients but those of the level `note`, which a client may break on purpose. */
const allMistakes = 'mistakes'

/** What can fail a run. */
export const failReasons: readonly string[] = [allMistakes, ...reportRules.map(({ id }) => id)]

/** The rules that fail a run. @param failOn among {@link failReasons} */
function failingRules(failOn: readonly string[]): string[] {
  const mistakes = clientRules.filter(({ level }) => level !== 'note').map(({ id }) => id)
  return [...new Set(failOn.flatMap((each) => (each === allMistakes ? mistakes : each)))]
}

/**
 * Converts the report of a run for printers.
 *
 * @param command what ran, such as `npx understudy-api exec -- npm test`
 * @param failOn the rules that fail the run
 */
export function toReport(report: RunReport, command: string, failOn: readonly string[]): Report {
  return {
    title: 'What the run rests on',
    intro: [{ lines: [command] }, ...summarizeReport(report).slice(0, 1)],
    sections: report.requests === 0 ? [nothing] : toSections(report),
    json: report,
    junit: {
      name: 'understudy report',
      suites: [{ name: 'What the run rests on', cases: toCases(report, failOn) }],
    },
  }
}

const nothing: Section = {
  title: 'No requests',
  blocks: [
    'The run sent no requests to the API that it was given. Tests with simulators of their own report themselves: add understudy-api/vitest/reporter or understudy-api/playwright/reporter to the reporters of the test runner.',
  ],
}

function toSections(report: RunReport): Section[] {
  const settings = evidences.flatMap((evidence) =>
    toSettings(
      `Exercised and ${evidence}`,
      usedSettings(report).filter((item) => item.evidence === evidence),
    ),
  )
  const mistakes = report.mistakes.map(toSection)
  return [...mistakes, ...settings, ...toScopes(report), toNeverExercised(report)]
}

/** Summarizes a report in a few lines. */
export function summarizeReport(report: RunReport): string[] {
  const { requests, not_covered, mistakes, keys } = report
  if (requests === 0) return ['The run sent no requests to the API.']
  const exercised = (['operations', 'statuses', 'settings'] as const).map((kind) => {
    return `${count(report[kind])} of ${report[kind].length} ${kind}`
  })
  // The key of exec has the scope `*`, and a client cannot change it.
  const reducible = keys.filter(
    ({ scopes, unused }) => scopes !== null && !scopes.includes('*') && unused.length > 0,
  )
  return [
    `Requests: ${requests}. Exercised: ${exercised.join(', ')}.`,
    ...(not_covered > 0 ? [`Earlier requests that are not covered: ${not_covered}.`] : []),
    ...evidences.slice(0, 2).flatMap((evidence) => {
      const items = usedSettings(report).filter((item) => item.evidence === evidence)
      const names = items.map(({ name }) => name).join(', ')
      return items.length === 0 ? [] : [`Only ${evidence}: settings (${names}).`]
    }),
    ...summarizeMistakes(mistakes),
    ...reducible.map(({ sentence }) => sentence),
  ].map(escapeControls)
}

/** How many mistakes of a rule a summary shows. */
const maxShown = 3

/** Says of each mistake what the client did, in which test and request, and what to change. */
function summarizeMistakes(mistakes: readonly ClientMistake[]): string[] {
  if (mistakes.length === 0) return []
  const lines = clientRules.flatMap(({ id }) => {
    const all = mistakes.filter(({ rule }) => rule === id)
    const shown = all.slice(0, maxShown)
    const rest = all.length - shown.length
    return [
      ...shown.flatMap(({ message, details = [], cure }, index) => [
        `  ${id}: ${message}`,
        ...details.slice(0, 1).map((line) => `    ${line}`),
        // Several mistakes can have one cure.
        ...(shown[index + 1]?.cure === cure ? [] : [`    ${cure}`]),
      ]),
      ...(rest > 0 ? [`  ${id}: and ${rest} more`] : []),
    ]
  })
  return ['Mistakes of the client:', ...lines]
}

const count = (items: readonly ReportItem[]): number =>
  items.filter(({ exercised }) => exercised).length

/** A case for each rule. A rule that was broken without failing the run is skipped. */
function toCases(report: RunReport, failOn: readonly string[]): TestCase[] {
  const findings = listFindings(report)
  return reportRules.map(({ id, sentence }): TestCase => {
    const found = findings.filter(({ rule }) => rule === id)
    const testCase = { name: id, classname: 'understudy' }
    const [message] = checkReport(
      report,
      failingRules(failOn).filter((rule) => rule === id),
    )
    const text = found.flatMap(formatFinding).join('\n')
    if (message !== undefined)
      return { ...testCase, problem: { kind: 'failure', message, type: id, text } }
    if (found.length === 0) return testCase
    return { ...testCase, problem: { kind: 'skipped', message: `${sentence}\n${text}` } }
  })
}

const usedSettings = ({ settings }: RunReport): SettingItem[] =>
  settings.filter(({ exercised }) => exercised)

function toSection({ message, rule, cure, details = [] }: ClientMistake): Section {
  return {
    title: message,
    blocks: [`Rule: ${rule}`, { items: details }, ...(cure === undefined ? [] : [cure])],
  }
}

function toSettings(title: string, items: readonly SettingItem[]): Section[] {
  if (items.length === 0) return []
  const rows = items.map(({ name, settings, requests, source }) => [
    name,
    settings.join(', '),
    String(requests),
    source,
  ])
  return [{ title, blocks: [{ columns: ['Setting', 'Value', 'Requests', 'Source'], rows }] }]
}

function toScopes({ keys }: RunReport): Section[] {
  if (keys.length === 0) return []
  const list = (scopes: readonly string[] | null): string => scopes?.join(', ') || '–'
  const rows = keys.map(({ key, scopes, used, refused }) => [
    nameKey(key),
    scopes === null ? 'all, without a list' : list(scopes),
    list(used),
    list(refused),
  ])
  const columns = ['Key', 'Scopes', 'Used', 'Refused']
  return [{ title: 'Scopes', blocks: [{ columns, rows }] }]
}

/** The operations and statuses that no request exercised. */
function toNeverExercised({ operations, statuses }: RunReport): Section {
  const rows = operations.map(({ name, exercised }) => [
    exercised ? name : { text: name, tone: 'bad' as const },
    statuses
      .filter((each) => each.operation === name && !each.exercised)
      .map((status) => status.name)
      .join(', '),
  ])
  return { title: 'Never exercised', blocks: [{ columns: ['Operation', 'Statuses'], rows }] }
}

/** Lists what a run rests on that the documentation does not say, the least certain first, and the client's mistakes. */
function listFindings(report: RunReport): Finding[] {
  const findings = evidenceRules.flatMap(({ id }) =>
    usedSettings(report)
      .filter(({ evidence }) => evidence === id)
      .map(
        ({ name, settings, source }): Finding => ({
          rule: id,
          level: id === 'assumed' ? 'warning' : 'note',
          message: `Only ${id}: the setting ${name} = ${settings.join(', ')}.`,
          evidence: id,
          source,
        }),
      ),
  )
  return [...report.mistakes, ...findings]
}

/**
 * Checks a report against rules: the evidence `assumed` or `observed`, rules about clients, and `mistakes` for all of these.
 *
 * @returns why the run fails, a line for each rule that it breaks. A run without requests breaks every rule
 */
export function checkReport(report: RunReport, failOn: readonly string[]): string[] {
  if (failOn.length > 0 && report.requests === 0) {
    return [`The run fails: nothing was checked for ${failOn.join(', ')}.`]
  }
  const findings = listFindings(report)
  return failingRules(failOn).flatMap((rule) => {
    const [first, ...rest] = findings.filter((finding) => finding.rule === rule)
    if (!first) return []
    const more = rest.length === 0 ? '' : ` (and ${rest.length} more)`
    return [`The run breaks the rule ${rule}. ${first.message}${more}`]
  })
}
