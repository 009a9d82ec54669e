import process from 'node:process'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import {
  type DependenceKind,
  dependenceKinds,
  failingKinds,
  findDependences,
  toFinding,
} from '../../sweep/dependences.ts'
import type { VariantOutcome } from '../../sweep/sweep.ts'
import { unknownWord } from '../../utils/errors.ts'
import { checkOptions, option, optionsSchema } from '../../utils/options.ts'
import { formatFinding } from '../../utils/reports/report.ts'
import { withPlainErrors } from '../testing/plain-errors.ts'
import type { SweptTest } from './sweep-tests.ts'

type FailOn = DependenceKind | 'none'

/** Options of the reporter `understudy-api/vitest/sweep`. */
interface SweepReporterOptions {
  /** The dependences that fail the run, or `none`. Defaults to all but `documented`. */
  readonly failOn?: FailOn | readonly FailOn[]
}

const reporterSchema = optionsSchema<SweepReporterOptions>({ failOn: option.any })

/**
 * A reporter for Vitest: each test with the `test` of `understudy-api/vitest` also runs against each plausible service,
 * in its worker, and the reporter prints what the tests depend on.
 *
 * @example npx vitest run --reporter=default --reporter=understudy-api/vitest/sweep
 */
export default class SweepReporter implements Reporter {
  readonly #failOn: readonly FailOn[]
  #vitest: Vitest | null = null

  /** @throws UsageError for an unknown option or kind */
  constructor(options: SweepReporterOptions = {}) {
    const { failOn = failingKinds } = options
    this.#failOn = [failOn].flat()
    withPlainErrors(() => {
      checkOptions(reporterSchema, options, 'read the options of the reporter')
      const kinds = [...dependenceKinds, 'none']
      for (const kind of this.#failOn) {
        if (!kinds.includes(kind)) throw unknownWord('read failOn', kinds, kind)
      }
    })
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    vitest.provide('understudySweep', true)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const swept = tests.flatMap((test) => {
      const result = test.meta().understudySweep
      return result ? [{ test, result }] : []
    })
    const ran = swept.filter(({ result }) => result.problem === null)
    // Under other settings, a test depends on other values.
    const groups = new Map<string, SweptTests>()
    for (const sweptTest of ran) {
      const settings = JSON.stringify(sweptTest.result.settings)
      groups.set(settings, [...(groups.get(settings) ?? []), sweptTest])
    }
    const services = new Set(ran.flatMap(({ result }) => result.outcomes.map(idOf)))
    const dependences = [...groups].flatMap(([settings, group]) =>
      findDependences(mergeOutcomes(group), JSON.parse(settings)),
    )
    const problems = swept.flatMap(({ test, result: { problem } }) =>
      problem === null ? [] : [`${test.fullName} was not swept: ${problem}.`],
    )
    const verdict =
      dependences.length === 0
        ? 'nothing breaks them.'
        : `what they depend on (${dependences.length}):`
    const lines = [
      ran.length === 0
        ? `No setting can matter, because none of ${tests.length} tests was swept. A test is swept if it passes, uses the \`test\` of understudy-api/vitest without \`server\`, and sends requests to its simulator. For other tests, use sweep() of understudy-api/vitest.`
        : `${ran.length} of ${tests.length} tests ran against ${services.size} other services: ${verdict}`,
      ...dependences.flatMap((dependence) => formatFinding(toFinding(dependence))),
      ...problems,
    ]
    this.#vitest?.logger.log(['', ...lines.map((line) => ` ${line}`)].join('\n'))
    const isFailing = dependences.some(({ kind }) => this.#failOn.includes(kind))
    if (isFailing || ran.length === 0) process.exitCode = 1
  }
}

type SweptTests = readonly { readonly test: TestCase; readonly result: SweptTest }[]

const idOf = ({ variant }: VariantOutcome): string => variant.id

/** Joins the outcomes of tests with the same settings, by variant, with the names of the tests that fail. */
function mergeOutcomes(swept: SweptTests): VariantOutcome[] {
  const merged = new Map<string, VariantOutcome>()
  for (const { test, result } of swept) {
    for (const tried of result.outcomes) {
      const before = merged.get(tried.variant.id) ?? { ...tried, failedTests: [] }
      const { variant, outcome, failedTests = [] } = before
      // What is shown is of the first test that fails.
      const isFirst = tried.outcome === 'failed' && outcome !== 'failed'
      const shown = isFirst || outcome === 'not_tested' ? tried : before
      const failing = tried.outcome === 'failed' ? [...failedTests, test.fullName] : failedTests
      merged.set(variant.id, { ...shown, failedTests: failing })
    }
  }
  return [...merged.values()]
}
