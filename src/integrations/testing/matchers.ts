import * as z from 'zod'
import { clientRules } from '../../mistakes/mistake-finder.ts'
import { noRequests } from '../../report/failed-requests.ts'
import { describeMistakes, isFailing } from '../../report/mistake-lines.ts'
import type { Scenario, ScenarioSource } from '../../scenarios/format/scenario.ts'
import { scenarioReport } from '../../scenarios/run/format-result.ts'
import type { RunOptions } from '../../scenarios/run/options.ts'
import type { Expectation } from '../../simulator/journal/verify.ts'
import { adviseWaiting } from '../../simulator/journal/written-entry.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { unexpectedValue } from '../../utils/errors.ts'
import { parseOptions } from '../../utils/schema-issues.ts'

/** Options of `toHaveNoClientMistakes`. */
export interface ClientMistakeOptions {
  /** The ids of rules that are not checked */
  readonly except?: readonly string[]
}

/** What a matcher of Vitest, Jest and Playwright returns. */
export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

/** Functions for `expect.extend`. A type, since Playwright wants an index signature, which an interface does not have. */
export type SimulatorMatcherFunctions = typeof matchers

export const matchers = { toPassScenario, toHaveReceived, toHaveNoClientMistakes }

/** The journal of a simulator. @throws UsageError for any other value, such as one of `connect()` */
function journalOf(simulator: Simulator, task: string) {
  const journal = simulator?.journal
  if (typeof journal?.waiting === 'function') return journal
  throw unexpectedValue(task, 'a simulator', simulator)
}

/**
 * Verifies requests as `journal.verify` does. A failure shows the nearest requests with their differences.
 *
 * @throws UsageError for a value that is not a simulator, and for an invalid expectation
 */
function toHaveReceived(simulator: Simulator, expectation: Expectation): MatcherResult {
  const journal = journalOf(simulator, 'verify requests')
  const { passed, message, nearest } = journal.verify(expectation)
  const nearMisses = nearest.flatMap(({ entry, differences }) => {
    const { method = '', path = '' } = journal.get(entry) ?? {}
    return ['', `  entry ${entry}: ${method} ${path}`, ...differences.map((line) => `    ${line}`)]
  })
  return {
    pass: passed,
    message: () =>
      passed ? `expected this not to be true. ${message}` : [message, ...nearMisses].join('\n'),
  }
}

const mistakeOptionsSchema = z.strictObject({
  except: z.array(z.enum(clientRules.map(({ id }) => id))).exactOptional(),
})

/**
 * Looks for client mistakes. A failure lists them, with the requests that show them. A note, which can be on
 * purpose, is none.
 *
 * @throws UsageError for a value that is not a simulator, and for an unknown rule
 */
function toHaveNoClientMistakes(
  this: unknown,
  simulator: Simulator,
  options: ClientMistakeOptions = {},
): MatcherResult {
  // A failure with `not`, too.
  const { isNot = false } = Object(this)
  const task = 'look for client mistakes'
  const journal = journalOf(simulator, task)
  const { except = [] } = parseOptions(mistakeOptionsSchema, options, task)
  if (journal.find({ limit: 1 }).length === 0) {
    const waiting = journal.waiting()
    const why = waiting.length === 0 ? noRequests : adviseWaiting(waiting).join(' ')
    return { pass: isNot, message: () => `${why} Nothing was checked.` }
  }
  const mistakes = journal
    .mistakes()
    .filter((mistake) => isFailing(mistake) && !except.includes(mistake.rule))
  const lines = describeMistakes(mistakes)
  const pass = mistakes.length === 0
  const title = pass
    ? 'expected the client to make mistakes, but it made none'
    : 'expected the client to make no mistakes'
  return { pass, message: () => [title, ...lines.slice(1)].join('\n') }
}

/**
 * Runs a scenario in a copy of the simulator, or in the world that it names. A failure shows the same report as `npx understudy-api replay`.
 *
 * @param scenarioOrFile a scenario, or the path of its file
 * @throws UsageError for a value that is not a simulator, and with up to 100 issues of the scenario
 */
async function toPassScenario(
  simulator: Simulator,
  scenarioOrFile: ScenarioSource | string,
  options: RunOptions = {},
): Promise<MatcherResult> {
  journalOf(simulator, 'run a scenario')
  const isFile = typeof scenarioOrFile === 'string'
  const scenario = isFile ? await readScenarioFile(scenarioOrFile, simulator) : scenarioOrFile
  const result = await simulator.run(scenario, options)
  const name = isFile ? scenarioOrFile : 'the scenario'
  const { world: named = options.world ?? 'current' } = scenario
  const world = named === 'current' ? 'a copy of the present world' : 'the named world'
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
  await sandboxes.offerFixture(scenario.world)
  return scenario
}
