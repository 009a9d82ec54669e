import process from 'node:process'
import { RunReporter, type RunReportOptions } from '../../report/run-reporter.ts'
import type { RunUsage } from '../../report/usage.ts'

/** The name of the attachment by which a test tells the reporter what it used. */
export const usageAttachment = 'understudy-usage'

/** Set while the reporter is used. Without it, tests attach nothing. Workers inherit it. */
export const usageVariable = 'UNDERSTUDY_USAGE_ATTACHED'

/** The part of Playwright's `Suite` that is used. */
export interface TestSuite {
  allTests(): readonly {
    readonly results: readonly {
      attachments: { readonly name: string; readonly body?: Buffer | undefined }[]
    }[]
  }[]
}

/**
 * A reporter for Playwright: prints the client mistakes of all tests at the end, and writes reports. Tests with
 * `simulatorFixtures` are covered.
 *
 * @example
 * // playwright.config.ts
 * reporter: [['list'], ['understudy-api/playwright/reporter', { file: 'test-results/report.txt', mistakes: 'fail' }]]
 */
export default class UnderstudyReporter {
  readonly #reports: RunReporter
  #suite: TestSuite | null = null

  /** @throws UsageError for an unknown extension, rule or mode, and for a file that cannot be written */
  constructor({ file = [], mistakes = 'print', failOn = [] }: RunReportOptions = {}) {
    // Playwright adds options of its own.
    this.#reports = new RunReporter({ file, mistakes, failOn })
    process.env[usageVariable] = '1'
  }

  onBegin(_config: unknown, suite: TestSuite): void {
    this.#suite = suite
  }

  async onEnd(): Promise<{ readonly status: 'failed' } | undefined> {
    const usages: RunUsage[] = []
    for (const result of this.#suite?.allTests().flatMap(({ results }) => results) ?? []) {
      for (const { name, body } of result.attachments) {
        if (name === usageAttachment && body) usages.push(JSON.parse(body.toString()))
      }
      // Other reporters would list it.
      result.attachments = result.attachments.filter(({ name }) => name !== usageAttachment)
    }
    const { lines, hasFailed } = await this.#reports.finish(usages, 'playwright test')
    console.log(['', ...lines.map((line) => `  ${line}`)].join('\n'))
    return hasFailed ? { status: 'failed' } : undefined
  }

  /** The reporter prints only at the end, beside the one of the terminal. */
  printsToStdio(): boolean {
    return false
  }
}
