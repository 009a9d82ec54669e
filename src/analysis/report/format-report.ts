import type { Evidence } from '../../policies/policies.ts'
import { escapeControls } from '../../utils/escape.ts'
import type { Extension } from '../../utils/reports/printers.ts'
import {
  type Count,
  type Finding,
  formatFinding,
  type PageFinding,
  type Report,
  type RuleDescription,
  type Section,
  type TestCase,
} from '../../utils/reports/report.ts'
import { clientRules } from '../client-rules/client-mistakes.ts'
import type { ClientMistake } from '../client-rules/rule.ts'
import { nameKey } from '../keys.ts'
import { evidences } from '../reasons/evidence.ts'
import { checkCoverage, isCoverageRule } from './coverage.ts'
import type { ReportItem, RunReport } from './report-schema.ts'
import { type ItemKind, itemKinds } from './run-report.ts'

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
export const reportRules: readonly RuleDescription[] = [...evidenceRules, ...clientRules]

/**
 * Converts the report of a run for printers.
 *
 * @param command what ran, such as `understudy exec -- npm test`
 * @param failOn the rules that fail the run
 */
export function toReport(report: RunReport, command: string, failOn: readonly string[]): Report {
  const used = groupItems(report, true)
  return {
    title: 'What the run rests on',
    intro: [[{ code: command }]],
    counts: toCounts(report),
    sections: [
      ...toMistakes(report),
      toOverview(report),
      ...evidences.flatMap((evidence) =>
        toTable(
          `Exercised and ${evidence}`,
          used.filter((group) => group.evidence === evidence),
        ),
      ),
      ...toScopes(report),
      ...toTable('Never exercised', groupItems(report, false)),
    ],
    json: report,
    junit: {
      name: 'understudy report',
      suites: [{ name: 'What the run rests on', cases: toCases(report, failOn) }],
    },
  }
}

/** Summarizes a report in a few lines. */
export function summarizeReport(report: RunReport): string[] {
  const { requests, not_covered, mistakes, keys } = report
  if (requests === 0) return ['The run sent no requests to the API.']
  const exercised = (['operations', 'statuses', 'policies'] as const).map((kind) => {
    return `${count(report[kind])} of ${report[kind].length} ${itemKinds[kind].toLowerCase()}`
  })
  // The key of exec has the scope `*`, and a client cannot change it.
  const reducible = keys.filter(
    ({ scopes, least, unused }) =>
      scopes !== null &&
      !scopes.includes('*') &&
      (unused.length > 0 || scopes.length !== least?.length),
  )
  return [
    `Requests: ${requests}. Exercised: ${exercised.join(', ')}.`,
    ...(not_covered > 0 ? [`Earlier requests that are not covered: ${not_covered}.`] : []),
    ...evidences.slice(0, 2).flatMap((evidence) => {
      const kinds = (Object.keys(itemKinds) as ItemKind[]).flatMap((kind) => {
        const items = report[kind].filter((item) => item.exercised && item.evidence === evidence)
        if (items.length === 0) return []
        const names = items.map(({ name }) => name).join(', ')
        return [`${itemKinds[kind].toLowerCase()} (${kind === 'policies' ? names : items.length})`]
      })
      return kinds.length === 0 ? [] : [`Only ${evidence}: ${kinds.join(', ')}.`]
    }),
    ...summarizeMistakes(mistakes),
    ...reducible.map(({ sentence }) => sentence),
  ].map(escapeControls)
}

/** The mistakes of a rule that a summary shows, and the requests of a mistake. */
const maxShown = { mistakes: 3, requests: 1 }

/** Says of each mistake what the client did, in which test and request, and what to change. */
function summarizeMistakes(mistakes: readonly ClientMistake[]): string[] {
  if (mistakes.length === 0) return []
  const lines = clientRules.flatMap(({ id, cure }) => {
    const all = mistakes.filter(({ rule }) => rule === id)
    const shown = all.slice(0, maxShown.mistakes).flatMap(({ message, details = [] }) => {
      const requests = details.slice(0, maxShown.requests)
      return [`  ${id}: ${message}`, ...requests.map((line) => `    ${line}`)]
    })
    const rest = all.length - maxShown.mistakes
    const more = rest > 0 ? [`  ${id}: and ${rest} more`] : []
    return all.length === 0 ? [] : [...shown, ...more, `    ${cure}`]
  })
  return ['Mistakes of the client:', ...lines]
}

const count = (items: readonly ReportItem[]): number =>
  items.filter(({ exercised }) => exercised).length

/** A case for each rule. A rule that was broken without failing the run is skipped. */
function toCases(report: RunReport, failOn: readonly string[]): TestCase[] {
  const findings = listFindings(report)
  const shares = [...new Set(failOn)]
    .filter(isCoverageRule)
    .map((id) => ({ id, sentence: `The run exercises less than ${id.split('<')[1]}.` }))
  return [...reportRules, ...shares].map(({ id, sentence }): TestCase => {
    const found = findings.filter(({ rule }) => rule === id)
    const testCase = { name: id, classname: 'understudy' }
    const [message] = checkReport(
      report,
      failOn.filter((rule) => rule === id),
    )
    const text = found.flatMap(formatFinding).join('\n')
    if (message !== undefined)
      return { ...testCase, problem: { kind: 'failure', message, type: id, text } }
    if (found.length === 0) return testCase
    return { ...testCase, problem: { kind: 'skipped', message: `${sentence}\n${text}` } }
  })
}

function toOverview(report: RunReport): Section {
  const rows = (Object.keys(itemKinds) as ItemKind[]).map((kind) => {
    const items: readonly ReportItem[] = report[kind]
    const cells = evidences.map((evidence) => {
      const all = items.filter((item) => item.evidence === evidence)
      return { text: `${count(all)} of ${all.length}`, tone: evidence }
    })
    return [itemKinds[kind], ...cells]
  })
  return {
    title: 'At a glance',
    blocks: [{ columns: ['Exercised', ...evidences], rows }],
  }
}

/** The first numbers of the page. */
function toCounts(report: RunReport): Count[] {
  const { requests, not_covered, mistakes, operations, policies } = report
  const used = policies.filter(({ exercised }) => exercised)
  return [
    { text: 'requests', value: requests },
    ...(not_covered > 0
      ? [{ text: 'earlier requests that are not covered', value: not_covered }]
      : []),
    {
      text: 'mistakes of the client',
      value: mistakes.length,
      tone: mistakes.length > 0 ? 'bad' : 'ok',
    },
    { text: 'operations exercised', value: `${count(operations)} of ${operations.length}` },
    ...evidences.map((evidence) => ({
      text: `${evidence} policies in use`,
      value: used.filter((item) => item.evidence === evidence).length,
      tone: evidence,
    })),
  ]
}

function toMistakes({ mistakes }: RunReport): Section[] {
  if (mistakes.length === 0) return []
  const blocks = mistakes.map(({ message, rule, cure, details = [] }): PageFinding => {
    return {
      finding: message,
      label: { text: rule, tone: 'bad' },
      blocks: [
        ...(details.length > 0 ? [{ items: details.map((text) => ({ text })) }] : []),
        ...(cure === undefined ? [] : [{ paragraph: cure }]),
      ],
    }
  })
  return [{ title: 'Mistakes of the client', blocks }]
}

function toTable(title: string, groups: readonly ItemGroup[]): Section[] {
  if (groups.length === 0) return []
  const rows = groups.map(({ kind, subject, detail, evidence, source }) => [
    subject,
    itemKinds[kind],
    detail,
    { text: evidence, tone: evidence },
    source,
  ])
  const columns = ['Operation or policy', 'What', 'Which', 'Evidence', 'Source']
  return [{ title, blocks: [{ columns, rows }] }]
}

function toScopes({ keys, unnamed_scopes }: RunReport): Section[] {
  const list = (scopes: readonly string[] | null): string => scopes?.join(', ') || '–'
  const rows = keys.map(({ key, scopes, used, used_unnamed, refused }) => [
    nameKey(key),
    scopes === null ? 'all, without a list' : list(scopes),
    list(used),
    list(used_unnamed),
    list(refused),
  ])
  const sentences = keys.map(({ sentence }) => ({ text: sentence }))
  const columns = ['Key', 'Scopes', 'Used', 'Used, not named in the documentation', 'Refused']
  const unnamed = unnamed_scopes.map(({ operation, scope, exercised, evidence, source }) => [
    operation,
    scope,
    exercised ? 'exercised' : 'never',
    { text: evidence, tone: evidence },
    source,
  ])
  return [
    ...(keys.length > 0
      ? [{ title: 'Scopes', blocks: [{ items: sentences }, { columns, rows }] }]
      : []),
    {
      title: 'Operations whose scope the documentation does not name',
      blocks: [
        { columns: ['Operation', 'Scope', 'Exercised', 'Evidence', 'Source'], rows: unnamed },
      ],
    },
  ]
}

/** Items of one part of the API with the same source, such as the fields of an operation. */
interface ItemGroup extends Pick<ReportItem, 'evidence' | 'source'> {
  readonly kind: ItemKind
  /** The operation or the policy */
  readonly subject: string
  /** Such as `200, 404` or `content, scope` */
  readonly detail: string
}

/** Groups the items of a report that were exercised, or those that never were. */
function groupItems(report: RunReport, exercised: boolean): ItemGroup[] {
  return (Object.keys(itemKinds) as ItemKind[]).flatMap((kind) => {
    const groups = new Map<string, ReportItem[]>()
    for (const item of report[kind] as readonly ReportItem[]) {
      if (item.exercised !== exercised) continue
      const id = [item.operation ?? item.name, item.evidence, item.source].join('\n')
      groups.set(id, [...(groups.get(id) ?? []), item])
    }
    return [...groups.values()].map((items) => toGroup(kind, items as [ReportItem]))
  })
}

function toGroup(kind: ItemKind, items: readonly [ReportItem, ...ReportItem[]]): ItemGroup {
  const [{ operation, name, evidence, source, requests }] = items
  const { settings } = items[0] as { settings?: readonly string[] }
  const detail = settings?.join(', ') ?? (requests ? `requests: ${requests}` : '')
  return {
    kind,
    subject: operation ?? name,
    detail: operation === undefined ? detail : items.map((item) => item.name).join(', '),
    evidence,
    source,
  }
}

/** Lists what a run rests on that the documentation does not say, the least certain first, and the client's mistakes. */
function listFindings(report: RunReport): Finding[] {
  const groups = groupItems(report, true)
  const findings = evidenceRules.flatMap(({ id }) =>
    groups
      .filter(({ evidence }) => evidence === id)
      .map(
        ({ kind, subject, detail, source }): Finding => ({
          rule: id,
          level: id === 'assumed' ? 'warning' : 'note',
          message: `Only ${id}: ${describe[kind](subject, detail)}.`,
          evidence: id,
          source,
        }),
      ),
  )
  return [...report.mistakes, ...findings]
}

const describe: Readonly<Record<ItemKind, (subject: string, detail: string) => string>> = {
  operations: (id) => `the operation ${id}`,
  statuses: (id, statuses) => `${id} returns ${statuses}`,
  parameters: (id, names) => `${id} reads the parameters ${names}`,
  request_fields: (id, names) => `${id} reads the fields ${names}`,
  response_fields: (id, names) => `${id} returns the fields ${names}`,
  policies: (id, settings) => `the policy ${id} = ${settings}`,
}

/**
 * Checks a report against rules: the evidence `assumed` or `observed`, rules about clients, or shares of the API such as
 * `operations<80%`.
 *
 * @returns why the run fails, a line for each rule that it breaks. A run without requests breaks every rule
 */
export function checkReport(report: RunReport, failOn: readonly string[]): string[] {
  if (failOn.length > 0 && report.requests === 0) {
    return [`The run fails: it sent no requests, so nothing was checked for ${failOn.join(', ')}.`]
  }
  const findings = listFindings(report)
  return [...new Set(failOn)].flatMap((rule) => {
    if (isCoverageRule(rule)) return checkCoverage(report, rule) ?? []
    const [first, ...rest] = findings.filter((finding) => finding.rule === rule)
    if (!first) return []
    const more = rest.length === 0 ? '' : ` (and ${rest.length} more)`
    return [`The run breaks the rule ${rule}. ${first.message}${more}`]
  })
}
