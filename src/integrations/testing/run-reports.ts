import { writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import {
  checkReport,
  failReasons,
  runReportExtensions,
  summarizeReport,
  toReport,
} from '../../report/format-report.ts'
import { createRunReport } from '../../report/run-report.ts'
import { emptyUsage, mergeUsage, type RunUsage } from '../../report/run-usage.ts'
import { unknownWord } from '../../utils/errors.ts'
import { checkWritable, failToWrite } from '../../utils/files.ts'
import { checkExtension, printReport } from '../../utils/reports/printers.ts'
import { Clock } from '../../world/clock/clock.ts'

/** Options of a reporter of a test runner. */
export interface RunReportOptions {
  /** Where the report is written: .html, .json or .xml (JUnit) files */
  readonly file?: string | readonly string[]
  /** What fails the run: `mistakes` of clients, single rules about clients, `assumed`, or `observed` */
  readonly failOn?: string | readonly string[]
}

/** The reports that a run ends with. */
export class RunReports {
  readonly #files: readonly string[]
  readonly #failOn: readonly string[]
  readonly #start = new Clock('real').now()

  /**
   * Checks the options before the run starts, and that each file can be written. An earlier report stays until the run
   * ends.
   *
   * @throws UsageError for an unknown extension or rule, and for a file that cannot be written
   */
  constructor({ file = [], failOn = [] }: RunReportOptions) {
    this.#files = [file].flat()
    this.#failOn = [failOn].flat()
    for (const reason of this.#failOn) {
      if (failReasons.includes(reason)) continue
      throw unknownWord('choose what fails the run', failReasons, reason)
    }
    for (const name of this.#files) {
      checkExtension(name, runReportExtensions, 'write a report')
      checkWritable(name)
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
  finish(
    usages: readonly RunUsage[],
    command: string,
  ): { readonly lines: readonly string[]; readonly hasFailed: boolean } {
    const usage = emptyUsage()
    for (const each of usages) mergeUsage(usage, each)
    const report = createRunReport(usage)
    const printed = toReport(report, command, this.#failOn)
    const ms = new Clock('real').now() - this.#start
    const run = { start: new Date(this.#start).toISOString(), ms, hostname: hostname() }
    for (const file of this.#files) {
      // Playwright empties its folder of results when a run starts.
      checkWritable(file)
      try {
        writeFileSync(file, printReport(printed, file, run))
      } catch (error) {
        failToWrite(file)(error)
      }
    }
    const failures = checkReport(report, this.#failOn)
    const written = this.#files.map((file) => `The report is in ${file}.`)
    const lines = [...summarizeReport(report), ...written, ...failures]
    return { lines, hasFailed: failures.length > 0 }
  }
}
