import { unexpectedValue } from '../../utils/usage-error.ts'
import type { ReportItem, RunReport } from './report-schema.ts'
import { type ItemKind, itemKinds } from './run-report.ts'

/** The share of a part of the API that a run has to exercise, such as `operations<80%`: the run fails below it. */
interface CoverageRule {
  readonly kind: ItemKind
  readonly percent: number
}

const format = /^([a-z_]+)<(\d+(?:\.\d+)?)%$/

/** Whether a rule that fails a run is about coverage. */
export function isCoverageRule(rule: string): boolean {
  return rule.includes('<')
}

/** @throws UsageError for another part of the API, and for another share */
export function parseCoverageRule(rule: string): CoverageRule {
  const [, kind = '', number = ''] = format.exec(rule) ?? []
  const percent = Number(number)
  if (Object.hasOwn(itemKinds, kind) && number !== '' && percent <= 100)
    return { kind: kind as ItemKind, percent }
  const kinds = Object.keys(itemKinds).join(', ')
  const expected = `one of ${kinds}, then < and a share up to 100%, such as operations<80%`
  throw unexpectedValue('choose what fails the run', expected, rule)
}

/** @returns why the run fails, or null */
export function checkCoverage(report: RunReport, rule: string): string | null {
  const { kind, percent } = parseCoverageRule(rule)
  const all: readonly ReportItem[] = report[kind]
  const used = all.filter(({ exercised }) => exercised).length
  if (used * 100 >= percent * all.length) return null
  const name = itemKinds[kind].toLowerCase()
  return `The run breaks the rule ${rule}. It exercised ${used} of ${all.length} ${name}: ${Math.floor((used * 100) / all.length)} %.`
}
