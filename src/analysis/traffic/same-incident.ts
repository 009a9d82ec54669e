import type { ParsedScenario } from '../../scenarios/format/check-scenario.ts'
import type { ProblemCheck, Replay } from '../../scenarios/shrink/same-failure.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { findIncident } from './incident.ts'

/**
 * Finds what went wrong in a scenario whose steps all pass: a request that failed, or a rule that the client broke. A
 * candidate has the same problem if its steps pass, and the first failure is the same. Returns null if nothing went wrong.
 */
export async function createIncidentCheck(
  scenario: ParsedScenario,
  replay: Replay,
): Promise<ProblemCheck | null> {
  const kept = await firstFailure(scenario, replay)
  if (kept === undefined) return null
  return {
    scenario,
    kept,
    check: async ({ scenario: candidate }) => {
      try {
        return (await firstFailure(candidate, replay)) === kept
      } catch (error) {
        // A candidate that cannot be replayed does not have the problem.
        if (error instanceof UsageError) return false
        throw error
      }
    },
  }
}

async function firstFailure(scenario: ParsedScenario, replay: Replay): Promise<string | undefined> {
  const { result, expectations } = await findIncident(scenario, (source, options) =>
    replay(source as ParsedScenario, options),
  )
  return result.passed ? expectations[0]?.failure : undefined
}
