import type { Remote } from '../../remote/connect.ts'
import type { JournalEntry } from '../../sandbox/journal/entry.ts'
import type { Expectation } from '../../sandbox/journal/expectation.ts'
import type { VerifyResult } from '../../sandbox/journal/verify.ts'
import type { Scenario } from '../../scenarios/format/scenario.ts'
import { scenarioReport } from '../../scenarios/run/report.ts'
import type { ReplayOptions } from '../../scenarios/run/run-scenario.ts'
import type { Simulator } from '../../simulator.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'

/**
 * Whether requests came to a simulator, as `simulator.journal.verify` tells. Of what did not come the nearest
 * requests are shown, each with its differences.
 *
 * @param simulator in this process, or in another, which is asked
 * @throws UsageError for what is no simulator, or no expectation
 */
export function toHaveReceived(
  simulator: Simulator | Remote,
  expectation: Expectation,
): MatcherResult | Promise<MatcherResult> {
  const journal = simulator?.journal
  if (typeof journal?.verify !== 'function') {
    throw unexpectedValue('verify requests', 'a simulator', simulator)
  }
  const verdict = journal.verify(expectation)
  if (verdict instanceof Promise) {
    return verdict.then((found) => toRemoteResult(found, journal as Remote['journal']))
  }
  return toMatcherResult(
    verdict,
    verdict.nearest.map(({ entry }) => (journal as Simulator['journal']).get(entry)),
  )
}

async function toRemoteResult(
  verdict: VerifyResult,
  journal: Remote['journal'],
): Promise<MatcherResult> {
  const entries = verdict.nearest.map(({ entry }) => journal.get(entry))
  return toMatcherResult(verdict, await Promise.all(entries))
}

function toMatcherResult(
  verdict: VerifyResult,
  nearest: readonly (JournalEntry | undefined)[],
): MatcherResult {
  return {
    pass: verdict.held,
    message: () =>
      verdict.held
        ? `expected the simulator not to have received what it has. ${verdict.message}`
        : [verdict.message, ...nearMissLines(verdict, nearest)].join('\n'),
  }
}

function nearMissLines(
  verdict: VerifyResult,
  nearest: readonly (JournalEntry | undefined)[],
): string[] {
  return verdict.nearest.flatMap(({ entry, differences }, index) => {
    const { method = '', path = '' } = nearest[index] ?? {}
    const head = `  entry ${entry}: ${method} ${path}`
    return ['', head, ...differences.map((line) => `    ${line}`)]
  })
}

/**
 * Whether a scenario happens in a simulator as it is written. What differs is shown as `understudy replay` shows it.
 *
 * @param given a scenario, or the path of its file
 * @throws UsageError for what is no simulator, and with every fault of the file
 */
export async function toMatchScenario(
  simulator: Simulator,
  given: Scenario | string,
  options: ReplayOptions = {},
): Promise<MatcherResult> {
  if (typeof simulator?.replay !== 'function') {
    throw unexpectedValue('match a scenario', 'a simulator', simulator)
  }
  const scenario = typeof given === 'string' ? await readScenarioFile(given, simulator) : given
  const result = await simulator.replay(scenario, options)
  const name = typeof given === 'string' ? given : 'the scenario'
  return {
    pass: result.held,
    message: () =>
      result.held
        ? `expected the simulator not to match ${name}, and all of it is as expected`
        : `expected the simulator to match ${name}\n\n${scenarioReport(result)}`,
  }
}

/** Only who names files needs a file system. Fixtures that are files are read, too. */
async function readScenarioFile(file: string, { sandboxes }: Simulator): Promise<Scenario> {
  const { readScenario } = await import('../../scenarios/read-scenario.ts')
  const scenario = await readScenario(file)
  const { fixtureNames, readWorld } = await import('../../world/load/read-world.ts')
  const { world } = scenario
  if (typeof world === 'string' && fixtureNames.includes(world)) {
    sandboxes.addFixture(world, await readWorld(world))
  }
  return scenario
}

/** What a matcher of Vitest found. */
interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}
