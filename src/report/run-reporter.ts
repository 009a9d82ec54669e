import { clientRules } from '../mistakes/mistake-finder.ts'
import { type Evidence, evidences } from '../settings/evidence.ts'
import type { RunReport } from '../simulator/response-reasons.ts'
import { UsageError, unknownWord } from '../utils/errors.ts'
import { checkWritable } from '../utils/files.ts'
import { checkOptions, option, optionsSchema } from '../utils/options.ts'
import {
  alignColumns,
  type Finding,
  formatFinding,
  type Report,
  type RuleDescription,
} from '../utils/reports/report.ts'
import { formatCount } from '../utils/text.ts'
import { Clock } from '../world/clock/clock.ts'
import { writeNamedFile } from '../world/persistence/atomic-write.ts'
import { describeMistakes, isFailing, type MistakeMode, mistakeModes } from './mistake-lines.ts'
import { checkExtension, printReport } from './printers.ts'
import { createRunReport, emptyUsage, mergeUsage, type RunUsage } from './usage.ts'

/** Options of a reporter of a test runner. */
export interface RunReportOptions {
  /** Where the report is written: .txt, .json or .xml (JUnit) files */
  readonly file?: string | readonly string[]
  /** Whether client mistakes are printed, and whether they fail the run. Defaults to `print` */
  readonly mistakes?: MistakeMode
  /** What else fails the run: single rules about clients, `assumed`, or `source` */
  readonly failOn?: string | readonly string[]
}

const reportSchema = optionsSchema<RunReportOptions>({
  file: option.is('a file name, or a list of them', (value) =>
    [value].flat().every((name) => typeof name === 'string'),
  ),
  mistakes: option.oneOf(mistakeModes),
  failOn: option.any,
})

const evidenceRules: readonly (RuleDescription & { readonly id: Evidence })[] = [
  { id: 'assumed', sentence: 'The run depends on an assumption.' },
  {
    id: 'source',
    sentence: "The run depends on the service's source, not on the documentation.",
  },
]

const rules: readonly RuleDescription[] = [...evidenceRules, ...clientRules]

export const ruleIds: readonly string[] = rules.map(({ id }) => id)

/** The reports that a run ends with. */
export class RunReporter {
  readonly #files: readonly string[]
  readonly #mistakes: MistakeMode
  readonly #failOn: readonly string[]

  /**
   * Checks the options before the run starts, and that each file can be written. An earlier report stays until the run
   * ends.
   *
   * @throws UsageError for an unknown extension, rule or mode, and for a file that cannot be written
   */
  constructor(options: RunReportOptions) {
    checkOptions(reportSchema, options, 'read the options of the reporter')
    const { file = [], mistakes = 'print', failOn = [] } = options
    this.#files = [file].flat()
    this.#mistakes = mistakes
    this.#failOn = [failOn].flat()
    for (const rule of this.#failOn) {
      if (!ruleIds.includes(rule)) throw unknownWord('choose what fails the run', ruleIds, rule)
    }
    for (const name of this.#files) {
      checkExtension(name, 'write a report')
      if (!checkWritable(name)) {
        throw new UsageError(`Failed to write ${name}: it is no regular file. Choose another file.`)
      }
    }
  }

  /**
   * Writes the reports.
   *
   * @param usages of all simulators, in an order that does not differ from run to run
   * @param command what ran, such as `npx understudy-api exec -- npm test`
   * @returns a summary, and whether the run fails by a rule
   * @throws UsageError for a file that can no longer be written
   */
  async finish(
    usages: readonly RunUsage[],
    command: string,
  ): Promise<{ readonly lines: readonly string[]; readonly hasFailed: boolean }> {
    const usage = emptyUsage()
    for (const part of usages) mergeUsage(usage, part)
    const report = createRunReport(usage)
    const checked = checkRules(report, this.#mistakes, this.#failOn)
    const lines = summarizeReport(report, this.#mistakes)
    await writeReports(runToReport(report, command, checked), this.#files, (line) => {
      lines.push(line)
    })
    // A run without requests fails each rule for the same reason.
    const failures = new Set(checked.flatMap(({ failure }) => failure ?? []))
    return { lines: [...lines, ...failures], hasFailed: failures.size > 0 }
  }
}

/** A rule, what breaks it, and why the run fails by it. */
interface CheckedRule {
  readonly rule: RuleDescription
  readonly findings: readonly Finding[]
  readonly failure: string | null
}

/** Checks a report by all rules. Without requests, nothing was checked for those that can fail the run. */
function checkRules(
  report: RunReport,
  mistakes: MistakeMode,
  failOn: readonly string[],
): CheckedRule[] {
  const named = [...(mistakes === 'fail' ? ['mistakes'] : []), ...failOn].join(', ')
  const reasons = report.settings.map(({ id, values, evidence }): Finding => {
    const message = `Only ${evidence}: the setting ${id} = ${values.join(', ')}.`
    return { rule: evidence, level: 'note', message }
  })
  return rules.map((rule): CheckedRule => {
    const { id } = rule
    const findings = [...report.mistakes, ...reasons].filter((finding) => finding.rule === id)
    const isNamed = failOn.includes(id)
    const isMistake = clientRules.some((known) => known.id === id && isFailing(known))
    if (!isNamed && !(isMistake && mistakes === 'fail')) return { rule, findings, failure: null }
    if (report.requests === 0) {
      return { rule, findings, failure: `The run fails: nothing was checked for ${named}.` }
    }
    // A note about a client fails a run only by the name of its rule.
    const [first, ...rest] = isNamed ? findings : findings.filter(isFailing)
    const more = rest.length === 0 ? '' : ` (and ${rest.length} more)`
    const failure = first ? `The run fails for ${id}. ${first.message}${more}` : null
    return { rule, findings, failure }
  })
}

/** Converts the report of a run for printers, mistakes first. A rule that was broken without failing the run is skipped. */
function runToReport(report: RunReport, command: string, checked: readonly CheckedRule[]): Report {
  const settings = evidences.map((evidence) => formatSettings(report, evidence))
  const parts = [summarizeReport(report, 'print', Number.POSITIVE_INFINITY), ...settings]
  const texts = parts.flatMap((lines) => (lines.length === 0 ? [] : lines.join('\n')))
  const name = 'What the client did wrong, and what the run depends on'
  const cases = checked.map(({ rule: { id, sentence }, findings, failure }) => {
    const text = findings.flatMap(formatFinding).join('\n')
    const failed = { kind: 'failure', message: failure ?? '', type: id, text } as const
    const broken = { kind: 'skipped', message: `${sentence}\n${text}` } as const
    const problem = failure === null ? (findings.length === 0 ? undefined : broken) : failed
    return { name: id, classname: 'understudy', ...(problem && { problem }) }
  })
  return {
    title: name,
    text: [command, ...(report.requests === 0 ? [nothing] : texts)].join('\n\n'),
    json: report,
    junit: { name: 'understudy report', suites: [{ name, cases }] },
  }
}

const nothing =
  'The run sent no requests to the API that it was given. Tests with simulators of their own report themselves: fixtures by understudy-api/vitest/reporter or understudy-api/playwright/reporter, others by journal.mistakes().'

function formatSettings({ settings }: RunReport, evidence: Evidence) {
  const rows = settings
    .filter((setting) => setting.evidence === evidence)
    .map(({ id, values, requests, source }) => [id, values.join(', '), `${requests}`, source])
  if (rows.length === 0) return []
  const columns = ['Setting', 'Value', 'Requests', 'Source']
  return [`Settings that are ${evidence}`, ...alignColumns([columns, ...rows])]
}

/** Summarizes a report, for a terminal its mistakes. @param shown how many mistakes of a rule */
function summarizeReport(report: RunReport, mode: MistakeMode, shown?: number) {
  const { requests, not_covered } = report
  const before =
    not_covered > 0 ? ` Not covered: ${formatCount(not_covered, 'earlier request')}.` : ''
  const count =
    requests === 0 ? 'The run sent no requests to the API.' : `Requests: ${requests}.${before}`
  if (mode === 'off') return [count]
  return [...describeMistakes(report.mistakes, shown), count]
}

/** Writes a report to files, to each in the format of its extension, and says so. @throws UsageError */
export async function writeReports(
  report: Report,
  files: readonly string[],
  say: (sentence: string) => void,
): Promise<void> {
  const time = new Date(new Clock('real').now()).toISOString()
  for (const file of files) {
    // Playwright empties its folder of results when a run starts.
    checkWritable(file)
    await writeNamedFile(file, printReport(report, file, time), 0o666)
    say(`The report is in ${file}.`)
  }
}
