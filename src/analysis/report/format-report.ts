import { escapeControls, escapeXml } from '../../utils/escape.ts'
import { formatFinding, type RuleDescription } from '../../utils/reports/finding.ts'
import { type HtmlSection, htmlPage, htmlTable } from '../../utils/reports/html.ts'
import { type JunitCase, toJunit } from '../../utils/reports/junit.ts'
import { formatOf } from '../../utils/reports/report-file.ts'
import { toSarif } from '../../utils/reports/sarif.ts'
import { clientRules } from '../client-rules/client-mistakes.ts'
import {
  checkReport,
  evidenceRules,
  groupItems,
  type ItemGroup,
  listFindings,
} from './report-findings.ts'
import {
  evidences,
  type ItemKind,
  itemKinds,
  type ReportItem,
  type RunReport,
} from './run-report.ts'

/** What a formatted report says about its run. */
export interface ReportContext {
  /** The command that ran, such as `understudy exec -- npm test` */
  readonly command: string
  /** The rules that fail the run */
  readonly failOn: readonly string[]
}

type Format = (report: RunReport, context: ReportContext) => string

/** The formats of a report, by the extension of its file. */
export const reportFormats: Readonly<Record<'html' | 'json' | 'xml' | 'sarif', Format>> = {
  html: toHtml,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  xml: toJunitReport,
  sarif: (report, { command }) =>
    toSarif({ command, rules: reportRules, findings: listFindings(report) }),
}

/** The rules that a run can break. */
export const reportRules: readonly RuleDescription[] = [...evidenceRules, ...clientRules]

/** The format of a file by its extension, or undefined for another one. */
export function reportFormatOf(file: string): Format | undefined {
  return formatOf(reportFormats, file)
}

/** Summarizes a report in a few lines. */
export function summarizeReport(report: RunReport): string[] {
  const { requests, not_covered, mistakes, keys } = report
  if (requests === 0) return ['The run sent no requests to the API.']
  const exercised = (['operations', 'statuses', 'policies'] as const).map((kind) => {
    return `${count(report[kind])} of ${report[kind].length} ${itemKinds[kind].toLowerCase()}`
  })
  // The key of exec has the scope `*`, and a client cannot change it.
  const withUnused = keys.filter(({ unused }) => unused.some((scope) => scope !== '*'))
  const broken = clientRules.filter(({ id }) => mistakes.some(({ rule }) => rule === id))
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
    ...(broken.length > 0 ? ['Mistakes of the client:'] : []),
    ...broken.map(({ id, cure }) => `  ${id}: ${cure}`),
    ...withUnused.map(
      ({ key, unused }) => `${nameKey(key)} has unused scopes: ${unused.join(', ')}.`,
    ),
  ].map(escapeControls)
}

const count = (items: readonly ReportItem[]): number =>
  items.filter(({ exercised }) => exercised).length

const nameKey = (key: string | null): string =>
  key === null ? 'A key without label' : `Key ${key}`

/** A case for each rule. A rule that was broken without failing the run is skipped. */
function toJunitReport(report: RunReport, { failOn }: ReportContext): string {
  const findings = listFindings(report)
  const cases = reportRules.map(({ id, sentence }): JunitCase => {
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
  return toJunit([{ name: 'What the run rests on', cases }], 'understudy report')
}

function toHtml(report: RunReport, { command }: ReportContext): string {
  const lines = summarizeReport(report).map((line) => `<p>${escapeXml(line)}</p>`)
  const used = groupItems(report, true)
  return htmlPage({
    title: 'What the run rests on',
    intro: `<p><code>${escapeXml(command)}</code></p>\n${lines.join('\n')}\n`,
    sections: [
      { title: 'At a glance', content: toOverview(report) },
      ...toMistakes(report),
      ...evidences.flatMap((evidence) =>
        toTable(
          `Exercised and ${evidence}`,
          used.filter((group) => group.evidence === evidence),
        ),
      ),
      ...toScopes(report),
      ...toTable('Never exercised', groupItems(report, false)),
    ],
  })
}

function toOverview(report: RunReport): string {
  const rows = (Object.keys(itemKinds) as ItemKind[]).map((kind) => {
    const items: readonly ReportItem[] = report[kind]
    const cells = evidences.map((evidence) => {
      const all = items.filter((item) => item.evidence === evidence)
      return { text: `${count(all)} of ${all.length}`, className: evidence }
    })
    return [itemKinds[kind], ...cells]
  })
  return htmlTable(['Exercised', ...evidences], rows)
}

function toMistakes({ mistakes }: RunReport): HtmlSection[] {
  if (mistakes.length === 0) return []
  const items = mistakes.map((mistake) => {
    const lines = escapeXml(formatFinding(mistake).join('\n'))
    return `<li><b>${escapeXml(mistake.rule)}</b> <pre>${lines}</pre></li>`
  })
  return [{ title: 'Mistakes of the client', content: `<ul>\n${items.join('\n')}\n</ul>` }]
}

function toTable(title: string, groups: readonly ItemGroup[]): HtmlSection[] {
  if (groups.length === 0) return []
  const rows = groups.map(({ kind, subject, detail, evidence, source }) => [
    subject,
    itemKinds[kind],
    detail,
    { text: evidence, className: evidence },
    source,
  ])
  const headings = ['Operation or policy', 'What', 'Which', 'Evidence', 'Source']
  return [{ title, content: htmlTable(headings, rows) }]
}

function toScopes({ keys, unnamed_scopes }: RunReport): HtmlSection[] {
  const list = (scopes: readonly string[] | null): string => scopes?.join(', ') || '–'
  const rows = keys.map(({ key, scopes, used, used_unnamed, unused, refused }) => [
    nameKey(key),
    scopes === null ? 'all, without a list' : list(scopes),
    list(used),
    list(used_unnamed),
    list(unused),
    list(refused),
  ])
  const headings = [
    'Key',
    'Scopes',
    'Used',
    'Used, not named in the documentation',
    'Unused',
    'Refused',
  ]
  const unnamed = unnamed_scopes.map(({ operation, scope, exercised, evidence, source }) => [
    operation,
    scope,
    exercised ? 'exercised' : 'never',
    { text: evidence, className: evidence },
    source,
  ])
  return [
    ...(keys.length > 0 ? [{ title: 'Scopes', content: htmlTable(headings, rows) }] : []),
    {
      title: 'Operations whose scope the documentation does not name',
      content: htmlTable(['Operation', 'Scope', 'Exercised', 'Evidence', 'Source'], unnamed),
    },
  ]
}
