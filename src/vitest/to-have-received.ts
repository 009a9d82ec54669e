import type { JournalEntry } from '../journal/entry.ts'
import type { Expectation } from '../journal/expectation.ts'
import type { Verdict } from '../journal/verify.ts'
import type { Remote } from '../remote/remote.ts'
import type { Simulator } from '../simulator.ts'
import { unexpected } from '../usage-error.ts'
import type { Outcome } from './outcome.ts'

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
): Outcome | Promise<Outcome> {
  const journal = simulator?.journal
  if (typeof journal?.verify !== 'function') {
    throw unexpected('verify requests', 'a simulator', simulator)
  }
  const verdict = journal.verify(expectation)
  if (verdict instanceof Promise) {
    return verdict.then((found) => asked(found, journal as Remote['journal']))
  }
  return outcome(
    verdict,
    verdict.nearest.map(({ entry }) => (journal as Simulator['journal']).get(entry)),
  )
}

async function asked(verdict: Verdict, journal: Remote['journal']): Promise<Outcome> {
  const entries = verdict.nearest.map(({ entry }) => journal.get(entry))
  return outcome(verdict, await Promise.all(entries))
}

function outcome(verdict: Verdict, nearest: readonly (JournalEntry | undefined)[]): Outcome {
  return {
    pass: verdict.held,
    message: () =>
      verdict.held
        ? `expected the simulator not to have received what it has. ${verdict.message}`
        : [verdict.message, ...missLines(verdict, nearest)].join('\n'),
  }
}

function missLines(verdict: Verdict, nearest: readonly (JournalEntry | undefined)[]): string[] {
  return verdict.nearest.flatMap(({ entry, differences }, index) => {
    const { method = '', path = '' } = nearest[index] ?? {}
    const head = `  entry ${entry}: ${method} ${path}`
    return ['', head, ...differences.map((line) => `    ${line}`)]
  })
}
