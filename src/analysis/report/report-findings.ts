import type { Evidence } from '../../policies/policy.ts'
import type { Finding, RuleDescription } from '../../utils/reports/finding.ts'
import { type ItemKind, itemKinds, type ReportItem, type RunReport } from './run-report.ts'

const cure = 'Run it under the other plausible values: npx understudy-api sweep.'

/** The rules about the evidence of what a run exercised. */
export const evidenceRules: readonly (RuleDescription & { readonly id: Evidence })[] = [
  { id: 'assumed', sentence: 'The run rests on an assumption.', cure },
  {
    id: 'observed',
    sentence: 'The run rests on an observation that the documentation lacks.',
    cure,
  },
]

/** Items of one part of the API with the same source, such as the fields of an operation. */
export interface ItemGroup extends Pick<ReportItem, 'evidence' | 'source'> {
  readonly kind: ItemKind
  /** The operation or the policy */
  readonly subject: string
  /** Such as `200, 404` or `content, scope` */
  readonly detail: string
}

/** Groups the items of a report that were exercised, or those that never were. */
export function groupItems(report: RunReport, exercised: boolean): ItemGroup[] {
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
export function listFindings(report: RunReport): Finding[] {
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
 * Checks a report against rules: the evidence `assumed` or `observed`, or rules about clients.
 *
 * @returns why the run fails, a line for each rule that it breaks. A run without requests breaks every rule
 */
export function checkReport(report: RunReport, failOn: readonly string[]): string[] {
  if (failOn.length > 0 && report.requests === 0) {
    return [`The run fails by ${failOn.join(', ')}. It sent no requests, so nothing was checked.`]
  }
  const findings = listFindings(report)
  return [...new Set(failOn)].flatMap((rule) => {
    const [first, ...rest] = findings.filter((finding) => finding.rule === rule)
    if (!first) return []
    const more = rest.length === 0 ? '' : ` (and ${rest.length} more)`
    return [`The run fails by ${rule}. ${first.message}${more}`]
  })
}
