import { hostname } from 'node:os'
import { UsageError, unknownWord } from '../utils/errors.ts'
import { checkWritable } from '../utils/files.ts'
import { checkOptions, option, optionsSchema } from '../utils/options.ts'
import { checkExtension } from '../utils/reports/printers.ts'
import { Clock } from '../world/clock/clock.ts'
import {
  type Criteria,
  listFailures,
  type MistakeRule,
  namedRules,
  runToReport,
  summarizeReport,
} from './format-report.ts'
import { type MistakeMode, mistakeModes } from './mistake-lines.ts'
import { createRunReport } from './run-report.ts'
import { emptyUsage, mergeUsage, type RunUsage } from './run-usage.ts'
import { writeReports } from './write-reports.ts'

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

/** The reports that a run ends with. */
export class RunReporter {
  readonly #files: readonly string[]
  readonly #criteria: Criteria
  readonly #start = new Clock('real').now()

  /**
   * Checks the options before the run starts, and that each file can be written. An earlier report stays until the run
   * ends.
   *
   * @param rules all rules about clients
   * @throws UsageError for an unknown extension, rule or mode, and for a file that cannot be written
   */
  constructor(options: RunReportOptions, rules: readonly MistakeRule[]) {
    checkOptions(reportSchema, options, 'read the options of the reporter')
    const { file = [], mistakes = 'print', failOn = [] } = options
    this.#files = [file].flat()
    this.#criteria = { mistakes, failOn: [failOn].flat(), rules }
    const known = namedRules(rules)
    for (const rule of this.#criteria.failOn) {
      if (!known.includes(rule)) throw unknownWord('choose what fails the run', known, rule)
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
   * @param command what ran, such as `vitest`
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
    const printed = runToReport(report, command, this.#criteria)
    const ms = new Clock('real').now() - this.#start
    const run = { start: new Date(this.#start).toISOString(), ms, hostname: hostname() }
    const written: string[] = []
    const printError = (sentence: string): void => void written.push(sentence)
    await writeReports(printed, this.#files, { run, printError })
    const failures = listFailures(report, this.#criteria).map(({ message }) => message)
    const summary = summarizeReport(report, this.#criteria.mistakes)
    return { lines: [...summary, ...written, ...failures], hasFailed: failures.length > 0 }
  }
}
