import type { JournalEntry } from '../journal/entry.ts'
import type { Expectation } from '../journal/expectation.ts'
import type { VerifyResult } from '../journal/verify.ts'
import type { Remote } from '../remote/remote.ts'
import type { Simulator } from '../simulator.ts'
import { unexpectedValue } from '../usage-error.ts'
import type { MatcherResult } from './outcome.ts'

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
