import {
  type Dependence,
  type DependenceKind,
  dependenceKinds,
  failureOf,
  type SweptCommand,
  toFinding,
} from '../../analysis/variants/dependences.ts'
import type { LeastScopes } from '../../analysis/variants/least-scopes.ts'
import { describeValue } from '../../analysis/variants/policy-variants.ts'
import type { Baseline, VariantOutcome } from '../../analysis/variants/sweep.ts'
import { type PolicyId, type PolicySettings, policies } from '../../policies/policies.ts'
import { escapeXml } from '../../utils/escape.ts'
import { formatFinding } from '../../utils/reports/finding.ts'
import { htmlPage, htmlTable } from '../../utils/reports/html.ts'
import { type JunitCase, toJunit } from '../../utils/reports/junit.ts'
import { toSarif } from '../../utils/reports/sarif.ts'
import { formatCount } from '../output.ts'

/** What a sweep found out. */
export interface SweepReport extends SweptCommand {
  readonly baseline: Baseline
  readonly settings: PolicySettings
  readonly outcomes: readonly VariantOutcome[]
  readonly dependences: readonly Dependence[]
  readonly scopes: LeastScopes | null
  readonly isInterrupted: boolean
  /** Further lines, such as fields of which no mutant was noticed */
  readonly notes: readonly string[]
}

/** The formats of a report, by the extension of its file. */
export const sweepReportFormats: Readonly<Record<string, (report: SweepReport) => string>> = {
  json: (report) => `${JSON.stringify(toJson(report), null, 2)}\n`,
  xml: formatJunit,
  sarif: formatSarif,
  html: formatHtml,
}

export function toJson({ command, baseline, settings, ...report }: SweepReport): object {
  const { trace } = baseline
  return {
    command,
    interrupted: report.isInterrupted,
    requests: trace.requests,
    policies: Object.fromEntries(trace.consulted.map((id) => [id, settings[id]])),
    dependences: report.dependences.map(({ breaks, ...dependence }) => ({
      ...dependence,
      breaks_with: breaks.map(({ variant }) => variant.id),
    })),
    runs: report.outcomes.map(({ variant: { id, sentence, evidence, source }, outcome, run }) => ({
      ...{ id, sentence, evidence, source, outcome, failure: run.failure },
      ...{ failed_tests: run.failedTests, ms: run.ms },
    })),
    scopes: report.scopes && {
      held: report.scopes.held,
      smallest: report.scopes.smallest,
      unused: report.scopes.unused,
      operations_without_documented_scope: report.scopes.unnamed,
    },
    notes: report.notes,
  }
}

/** Formats the report as lines of text: a table, each dependence with its evidence, and a summary. */
export function formatSweep(report: SweepReport): string {
  const { dependences, outcomes, scopes, notes } = report
  const flaky = outcomes.filter(({ outcome }) => outcome === 'flaky')
  const rows = tableRows(report)
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  const table = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const details = dependences.map((one) => formatFinding(toFinding(one, report)).join('\n'))
  const unstable = flaky.map(
    ({ variant }) => `\`${variant.id}\` failed in one of two runs, so it is not blamed.`,
  )
  const parts = [
    ...(rows.length > 1 ? [table.join('\n')] : []),
    ...details,
    ...unstable,
    ...(scopes ? [formatScopes(scopes).join('\n')] : []),
    ...(notes.length > 0 ? [notes.join('\n')] : []),
    summarize(report),
  ]
  return parts.join('\n\n')
}

/** A row for each policy with the values that were tried, then one for each other variant that failed. */
function tableRows({ baseline, outcomes, settings }: SweepReport): string[][] {
  const rows = baseline.trace.consulted.flatMap((id) => {
    const tried = outcomes.filter(({ variant }) => isValueOf(id, variant.id))
    const values = (wanted: VariantOutcome['outcome']): string =>
      tried
        .filter(({ outcome }) => outcome === wanted)
        .map(({ variant }) => variant.id.slice(id.length + 1))
        .join(', ') || '-'
    const { evidence } = describeValue(id, settings[id])
    const seen = tried.find(
      ({ outcome, variant }) => outcome === 'failed' && variant.evidence === 'observed',
    )
    const doubt =
      seen && evidence !== 'observed' ? ` (seen: ${seen.variant.id.slice(id.length + 1)})` : ''
    return tried.length === 0
      ? []
      : [[id, String(settings[id]), `${evidence}${doubt}`, values('failed'), values('passed')]]
  })
  return [['Policy', 'Value', 'Evidence', 'Breaks with', 'Passes with'], ...rows]
}

function isValueOf(id: PolicyId, variantId: string): boolean {
  return variantId.startsWith(`${id}=`) && !variantId.includes(' and ')
}

function formatScopes({ held, smallest, unused, unnamed }: LeastScopes): string[] {
  const list = (scopes: readonly string[]): string => scopes.join(', ') || 'none'
  return [
    `Scopes of the keys that were used: ${list(held)}.`,
    ...(smallest === null
      ? ['The smallest set of scopes is not known: the search was interrupted.']
      : [
          `The smallest set of scopes with which the command passes: ${list(smallest)}.`,
          `Unused scopes: ${list(unused)}.`,
        ]),
    ...(unnamed.length > 0
      ? [`The documentation does not name the scope of ${unnamed.join(', ')}.`]
      : []),
  ]
}

function summarize({ outcomes, dependences, isInterrupted, baseline }: SweepReport): string {
  const count = (kind: DependenceKind): number =>
    dependences.filter((dependence) => dependence.kind === kind).length
  const kinds = dependenceKinds.flatMap((kind) =>
    count(kind) > 0 ? [`${count(kind)} ${kind}`] : [],
  )
  const found =
    dependences.length === 0
      ? 'nothing breaks the command'
      : `${formatCount(dependences.length, 'dependence')} (${kinds.join(', ')})`
  const policyCount = formatCount(baseline.trace.consulted.length, 'policy')
  return `${isInterrupted ? 'Interrupted. ' : ''}The run depended on ${policyCount}. ${formatCount(outcomes.length, 'other service')} tried: ${found}.`
}

function formatJunit({ command, outcomes }: SweepReport): string {
  const cases = outcomes.map(({ variant, outcome, run }): JunitCase => {
    const text = [variant.sentence, ...(run.failedTests ?? [])].join('\n')
    const problem = { message: `${failureOf(run)} with ${variant.id}`, text }
    return {
      name: variant.id,
      classname: command,
      ms: run.ms,
      ...(outcome === 'failed' && { problem: { kind: 'failure', ...problem } }),
      ...(outcome === 'flaky' && { problem: { kind: 'skipped', ...problem } }),
    }
  })
  return toJunit([{ name: 'understudy sweep', cases }])
}

function formatSarif(report: SweepReport): string {
  const { command, dependences } = report
  const findings = dependences.map((dependence) => toFinding(dependence, report))
  const rules = dependences.map(({ on, breaks }) => ({
    id: on,
    sentence: Object.hasOwn(policies, on)
      ? policies[on as PolicyId].question
      : (breaks[0]?.variant.sentence ?? on),
  }))
  return toSarif({ command: `understudy sweep -- ${command}`, rules, findings })
}

function formatHtml(report: SweepReport): string {
  const { command, dependences, scopes, notes } = report
  const [head = [], ...rows] = tableRows(report)
  const items = dependences.map((dependence) => {
    const lines = formatFinding(toFinding(dependence, report)).join('\n')
    return `<li class="${dependence.kind === 'documented' ? '' : 'failed'}"><b>${dependence.kind}</b><pre>${escapeXml(lines)}</pre></li>`
  })
  const list = (lines: readonly string[]): string =>
    `<ul>${lines.map((line) => `<li>${escapeXml(line)}</li>`).join('')}</ul>`
  return htmlPage({
    title: `Sweep: ${command}`,
    intro: `<p>${escapeXml(summarize(report))}</p>`,
    sections: [
      ...(items.length > 0
        ? [{ title: 'Dependences', content: `<ul>${items.join('')}</ul>` }]
        : []),
      {
        title: 'Policies',
        content: htmlTable(head, rows),
      },
      ...(scopes ? [{ title: 'Scopes', content: list(formatScopes(scopes)) }] : []),
      ...(notes.length > 0 ? [{ title: 'Notes', content: list(notes) }] : []),
    ],
  })
}
