import {
  type ReplayOptions,
  type ReplayResult,
  replayAt,
  type Scenario,
} from '../../../src/index.ts'
import { lane, start } from './start.ts'

/** Replays a scenario on the lane of this run: in this process, or on a server. */
export async function replayOnLane(
  scenario: Scenario,
  options: ReplayOptions = {},
): Promise<ReplayResult> {
  const { simulator, origin } = await start()
  return lane === 'in-process'
    ? simulator.replay(scenario, options)
    : replayAt(origin, scenario, options)
}
