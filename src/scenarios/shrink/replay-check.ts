import { UsageError } from '../../utils/usage-error.ts'
import type { ParsedScenario } from '../format/check-scenario.ts'
import type { ReplayResult, StepResult } from '../run/result.ts'
import type { ReplayOptions } from '../run/run-scenario.ts'
import type { CandidateCheck } from './candidates.ts'

type Replay = (scenario: ParsedScenario, options: ReplayOptions) => Promise<ReplayResult>

const options: ReplayOptions = { decide: false }

/**
 * The default check. It finds the first step that fails in a replay. A candidate still has the problem if that step is
 * its first to fail, with the same status and a difference in the same place.
 *
 * @throws UsageError if every step of the scenario passes
 */
export async function createReplayCheck(
  scenario: ParsedScenario,
  replay: Replay,
): Promise<CandidateCheck> {
  const { steps } = await replay(scenario, options)
  const index = steps.findIndex(hasFailed)
  if (index < 0) {
    throw new UsageError(
      'Failed to shrink: every step of the replay passes, so there is no failure to keep. Describe the problem with --check.',
    )
  }
  const where = steps[index]?.differences[0]?.where
  const status = steps[index]?.response?.status
  return async (candidate) => {
    const at = candidate.origins.indexOf(index)
    if (at < 0) return false
    const result = await replay(candidate.scenario, { ...options, until: at + 1 }).catch(
      ignoreUsageError,
    )
    const first = result?.steps.find(hasFailed)
    if (first?.step !== at + 1 || first.response?.status !== status) return false
    return first.differences.some((difference) => difference.where === where)
  }
}

function hasFailed({ outcome }: StepResult): boolean {
  return outcome === 'failed'
}

/** A candidate that cannot be replayed does not have the problem. */
function ignoreUsageError(error: unknown): null {
  if (error instanceof UsageError) return null
  throw error
}
