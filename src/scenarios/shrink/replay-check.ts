import { UsageError } from '../../utils/usage-error.ts'
import type { Scenario } from '../format/scenario.ts'
import type { ReplayResult, StepResult } from '../run/result.ts'
import type { ReplayOptions } from '../run/run-scenario.ts'
import type { CandidateCheck } from './candidates.ts'

/** Replays a scenario. */
type Replay = (scenario: Scenario, options: ReplayOptions) => Promise<ReplayResult>

const options: ReplayOptions = { decide: false }

/**
 * The check of those who name none: the first step that differs in a replay still is the first one, is answered with the
 * same status, and differs in the same place.
 *
 * @throws UsageError where a replay is as expected
 */
export async function createReplayCheck(
  scenario: Scenario,
  replay: Replay,
): Promise<CandidateCheck> {
  const { steps } = await replay(scenario, options)
  const index = steps.findIndex(differs)
  if (index < 0) {
    throw new UsageError(
      'Failed to shrink: expected a scenario whose replay is not as expected, got one that is. ' +
        'Say by --check what is wrong with it.',
    )
  }
  const where = steps[index]?.differences[0]?.where
  const status = steps[index]?.answer?.status
  return async (candidate) => {
    const at = candidate.origins.indexOf(index)
    if (at < 0) return false
    const result = await replay(candidate.scenario, { ...options, until: at + 1 }).catch(
      ignoreUsageError,
    )
    const first = result?.steps.find(differs)
    if (first?.step !== at + 1 || first.answer?.status !== status) return false
    return first.differences.some((one) => one.where === where)
  }
}

function differs({ outcome }: StepResult): boolean {
  return outcome === 'differed'
}

/** What cannot be replayed at all does not differ. */
function ignoreUsageError(error: unknown): null {
  if (error instanceof UsageError) return null
  throw error
}
