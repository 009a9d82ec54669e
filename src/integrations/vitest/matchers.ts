import * as z from 'zod'
import { clientRules } from '../../analysis/client-rules/client-mistakes.ts'
import type { ClientMistake } from '../../analysis/client-rules/rule.ts'
import type { Remote } from '../../remote/connect.ts'
import type { JournalEntry } from '../../sandbox/journal/entry.ts'
import type { Expectation, VerifyResult } from '../../sandbox/journal/verify.ts'
import { offerFixture } from '../../sandbox/sandboxes/offer-fixture.ts'
import type { Scenario } from '../../scenarios/format/scenario.ts'
import { scenarioReport } from '../../scenarios/run/result.ts'
import type { ReplayOptions } from '../../scenarios/run/run-scenario.ts'
import type { Simulator } from '../../simulator.ts'
import { parseOptions, unexpectedValue } from '../../utils/errors.ts'
import { formatFinding } from '../../utils/reports/report.ts'
import { interception } from '../testing/interception.ts'

/** The matchers that `understudy-api/vitest` adds to `expect`. */
export interface SimulatorMatchers<T = unknown> {
  /**
   * Replays a scenario in a copy of the simulator as it is now, with its present rows, settings and time, and expects
   * every step to pass. The requests of the test are not compared, and the simulator does not change. A scenario that
   * names its `world` is replayed in that world.
   *
   * @param scenario a scenario, or the path of its file, relative to the working directory
   * @example await expect(simulator).toPassScenario('scenarios/launch.json')
   */
  toPassScenario(scenario: Scenario | string, options?: ReplayOptions): Promise<void>
  /** @deprecated Use `toPassScenario`, which is the same. */
  toMatchScenario(scenario: Scenario | string, options?: ReplayOptions): Promise<void>
  /**
   * Expects that requests were received, with a count or in an order. For a simulator in another process it returns a
   * promise.
   *
   * @example expect(simulator).toHaveReceived({ operation: 'createAnnotation', count: 1 })
   * @example await expect(connect(url)).toHaveReceived({ operation: 'createAnnotation', count: 1 })
   */
  toHaveReceived(expectation: Expectation): T extends Remote ? Promise<void> : void
  /**
   * Expects that the client made no mistakes, by the rules of `simulator.journal.mistakes()`. Without a request it fails,
   * because nothing was checked. For a simulator in another process it returns a promise.
   *
   * @param options `except` names the rules that are not checked
   * @example expect(simulator).toHaveNoClientMistakes({ except: ['unread-pages'] })
   */
  toHaveNoClientMistakes(options?: ClientMistakeOptions): T extends Remote ? Promise<void> : void
}

/** Options of `toHaveNoClientMistakes`. */
export interface ClientMistakeOptions {
  /** The ids of rules that are not checked */
  readonly except?: readonly string[]
}

declare module 'vitest' {
  interface Matchers<T> extends SimulatorMatchers<T> {}
}

interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

/**
 * Verifies requests as `journal.verify` does. A failure shows the nearest requests with their differences.
 *
 * @throws UsageError for a value that is not a simulator, and for an invalid expectation
 */
export function toHaveReceived(
  simulator: Simulator | Remote,
  expectation: Expectation,
): MatcherResult | Promise<MatcherResult> {
  const journal = simulator?.journal
  if (typeof journal?.verify !== 'function') {
    throw unexpectedValue('verify requests', 'a simulator', simulator)
  }
  const result = journal.verify(expectation)
  const getEntries = ({ nearest }: VerifyResult) => nearest.map(({ entry }) => journal.get(entry))
  if (!(result instanceof Promise)) {
    const elsewhere = interception.explainMissing(simulator as Simulator)
    return toMatcherResult(result, getEntries(result) as (JournalEntry | undefined)[], elsewhere)
  }
  return result.then(async (verified) =>
    toMatcherResult(verified, await Promise.all(getEntries(verified))),
  )
}

function toMatcherResult(
  result: VerifyResult,
  entries: readonly (JournalEntry | undefined)[],
  elsewhere: readonly string[] = [],
): MatcherResult {
  return {
    pass: result.passed,
    message() {
      const { passed, message, nearest } = result
      if (passed) return `expected the simulator not to have received these requests. ${message}`
      const nearMisses = nearest.flatMap(({ entry, differences }, index) => {
        const { method = '', path = '' } = entries[index] ?? {}
        return [
          '',
          `  entry ${entry}: ${method} ${path}`,
          ...differences.map((line) => `    ${line}`),
        ]
      })
      return [message, ...nearMisses, ...elsewhere].join('\n')
    },
  }
}

const mistakeOptionsSchema = z.strictObject({
  except: z.array(z.enum(clientRules.map(({ id }) => id))).exactOptional(),
})

/**
 * Looks for mistakes of the client. A failure lists them, with the requests that show them.
 *
 * @throws UsageError for a value that is not a simulator, and for an unknown rule
 */
export function toHaveNoClientMistakes(
  this: unknown,
  simulator: Simulator | Remote,
  options: ClientMistakeOptions = {},
): MatcherResult | Promise<MatcherResult> {
  // A failure with `not`, too.
  const { isNot = false } = Object(this)
  const task = 'look for mistakes of the client'
  const journal = simulator?.journal
  if (typeof journal?.mistakes !== 'function') throw unexpectedValue(task, 'a simulator', simulator)
  const { except = [] } = parseOptions(mistakeOptionsSchema, options, task)
  const toResult = (all: readonly ClientMistake[], requests: number): MatcherResult => {
    if (requests === 0) return { pass: isNot, message: () => nothingChecked }
    const mistakes = all.filter(({ rule }) => !except.includes(rule))
    const lines = mistakes.flatMap((mistake) => ['', mistake.rule, ...formatFinding(mistake)])
    const pass = mistakes.length === 0
    const title = pass
      ? 'expected the client to make mistakes, but it made none'
      : 'expected the client to make no mistakes'
    return { pass, message: () => [title, ...lines].join('\n') }
  }
  const found = journal.mistakes()
  const entries = journal.find({ limit: 1 })
  return found instanceof Promise || entries instanceof Promise
    ? Promise.all([found, entries]).then(([all, { length }]) => toResult(all, length))
    : toResult(found, entries.length)
}

const nothingChecked = 'The simulator received no requests, so nothing was checked.'

/**
 * Replays a scenario in the present world. A failure shows the same report as `npx understudy-api replay`.
 *
 * @param scenarioOrFile a scenario, or the path of its file
 * @throws UsageError for a value that is not a simulator, and with every issue of the scenario
 */
export async function toPassScenario(
  simulator: Simulator,
  scenarioOrFile: Scenario | string,
  options: ReplayOptions = {},
): Promise<MatcherResult> {
  if (typeof simulator?.replay !== 'function') {
    throw unexpectedValue('replay a scenario', 'a simulator', simulator)
  }
  const isFile = typeof scenarioOrFile === 'string'
  const scenario = isFile ? await readScenarioFile(scenarioOrFile, simulator) : scenarioOrFile
  const result = await simulator.replay(scenario, options)
  const name = isFile ? scenarioOrFile : 'the scenario'
  const world =
    scenario.world === undefined ? 'a copy of the present world' : 'the world that it names'
  return {
    pass: result.passed,
    message: () =>
      result.passed
        ? `expected the simulator not to pass ${name}, but every step passed`
        : `expected the simulator to pass ${name}, replayed in ${world}\n\n${scenarioReport(result)}`,
  }
}

/** Reads a scenario, and the fixture that it starts from. The file system loads on demand. */
async function readScenarioFile(file: string, { sandboxes }: Simulator): Promise<Scenario> {
  const { readScenario } = await import('../../scenarios/library.ts')
  const scenario = await readScenario(file)
  await offerFixture(sandboxes, scenario.world)
  return scenario
}
