import process from 'node:process'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { RunReporter, type RunReportOptions } from '../../report/run-reporter.ts'

/**
 * A reporter for Vitest: prints the client mistakes of all tests at the end, and writes reports. Tests with the `test` of
 * `understudy-api/vitest` are covered.
 *
 * @example
 * // vitest.config.ts
 * reporters: ['default', ['understudy-api/vitest/reporter', { file: 'test-results/report.txt', mistakes: 'fail' }]]
 */
export default class UnderstudyReporter implements Reporter {
  readonly #reports: RunReporter
  #vitest: Vitest | null = null

  /** @throws UsageError for an unknown option, extension, rule or mode, and for a file that cannot be written */
  constructor(options: RunReportOptions = {}) {
    this.#reports = new RunReporter(options)
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    // Without a reporter, the tests collect nothing.
    vitest.provide('understudyReport', true)
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    // The order in which files end differs from run to run.
    const sorted = modules.toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1))
    const tests = sorted.flatMap((module) => [...module.children.allTests()])
    const usages = tests.flatMap((test) => test.meta().understudy ?? [])
    const { lines, hasFailed } = await this.#reports.finish(usages, 'vitest')
    this.#vitest?.logger.log(['', ...lines.map((line) => ` ${line}`)].join('\n'))
    if (hasFailed) process.exitCode = 1
  }
}
