import type { Expectation } from '../journal/expectation.ts'
import type { Verdict } from '../journal/verify.ts'
import type { Simulator } from '../simulator.ts'
import { unexpected } from '../usage-error.ts'
import type { Outcome } from './outcome.ts'

/**
 * Whether requests came to a simulator, as `simulator.journal.verify` tells. Of what did not come the nearest
 * requests are shown, each with its differences.
 *
 * @throws UsageError for what is no simulator, or no expectation
 */
export function toHaveReceived(simulator: Simulator, expectation: Expectation): Outcome {
  const journal = simulator?.journal
  if (typeof journal?.verify !== 'function') {
    throw unexpected('verify requests', 'a simulator', simulator)
  }
  const verdict = journal.verify(expectation)
  return {
    pass: verdict.held,
    message: () =>
      verdict.held
        ? `expected the simulator not to have received what it has. ${verdict.message}`
        : [verdict.message, ...missLines(verdict, journal)].join('\n'),
  }
}

function missLines({ nearest }: Verdict, journal: Simulator['journal']): string[] {
  return nearest.flatMap(({ entry, differences }) => {
    const { method = '', path = '' } = journal.get(entry) ?? {}
    const head = `  entry ${entry}: ${method} ${path}`
    return ['', head, ...differences.map((line) => `    ${line}`)]
  })
}
