import { parseScenario } from '../../scenarios/format/check-scenario.ts'
import type { Scenario } from '../../scenarios/format/scenario.ts'
import { Comparison, type DriftOptions } from './comparison.ts'
import type { Drift } from './drift.ts'
import { resolveFound } from './resolve-found.ts'
import { findSettings } from './settings-from-traffic.ts'
import { TrafficReplay } from './traffic-replay.ts'

/** How many requests each part of a comparison may send. */
const requestLimit = 100_000

/**
 * Finds which settings traffic contradicts, which it confirms, and which it does not show. Each policy that explains a
 * difference is applied to the rest of the traffic, so that follow-ups of a difference are no differences of their own.
 *
 * @param scenario its world is the one before the first request. Its own profile and policies do not count
 * @throws UsageError for a scenario or a world with issues
 * @example (await findDrift(scenario, { settings: resolvePolicies() })).contradictions[0]?.policy
 */
export async function findDrift(scenario: Scenario, options: DriftOptions): Promise<Drift> {
  const { settings: base, limit = requestLimit } = options
  const parsed = parseScenario(scenario)
  const { found, isCut } = await findSettings(parsed, base, limit)
  const resolved = await resolveFound(parsed, base, found, limit)
  const comparison = new Comparison(options, resolved)
  const replay = await TrafficReplay.open(parsed, comparison.settings)
  await comparison.run(replay, limit)
  return comparison.finish(isCut)
}
