import { toMswHandlers } from './adapters/msw.ts'
import { toBaseUrl } from './http/url.ts'
import type { SimulatorOptions } from './sandbox/simulator-options.ts'
import { parseScenario } from './scenarios/format/check-scenario.ts'
import type { Scenario } from './scenarios/format/scenario.ts'
import type { UnexpectedRequest } from './scenarios/replay-server/match-request.ts'
import { parseReplayMode, type ReplayMode } from './scenarios/replay-server/match-request.ts'
import { toTrackedRequests } from './scenarios/replay-server/recorded-requests.ts'
import { Replay } from './scenarios/replay-server/replay.ts'
import { createReplayHandler } from './scenarios/replay-server/replay-handler.ts'
import { resolveSetup } from './scenarios/run/run-scenario.ts'
import { createSimulator, type Simulator } from './simulator.ts'
import { UsageError } from './utils/usage-error.ts'
import type { BuiltInWorld } from './world/load/build-world.ts'

/** How a recording is replayed. What the recording says of its world, seed, profile, policies and clock goes before. */
export interface ReplayHandlersOptions extends SimulatorOptions {
  /** `strict` when missing */
  readonly mode?: ReplayMode
  /** Told of each request that is not recorded. */
  readonly onUnexpected?: (request: UnexpectedRequest) => void
}

/** MSW handlers that answer from a recording, and the replay, which tells what was asked. */
export type ReplayHandlers = Simulator['handlers'] & { readonly replay: Replay<Simulator> }

/**
 * A recording as MSW handlers: for `setupServer`, `setupWorker` or `toExpress`.
 *
 * @throws UsageError with every fault of the scenario, or for an unknown mode
 * @example
 * const handlers = replayHandlers(recording, { mode: 'fallback' })
 * setupServer(...handlers)
 * handlers.replay.unused
 */
export function replayHandlers(
  given: Scenario,
  options: ReplayHandlersOptions = {},
): ReplayHandlers {
  const replay = openReplay(given, options)
  const handlers = toMswHandlers([createReplayHandler(() => replay, replay.base.origin !== '*')])
  return Object.assign([...handlers, ...replay.simulator.handlers], { replay })
}

/** A recording before the simulator of its world. @throws UsageError as `replayHandlers` does */
export function openReplay(
  given: Scenario,
  options: ReplayHandlersOptions = {},
): Replay<Simulator> {
  const { mode = 'strict', onUnexpected, ...rest } = options
  parseReplayMode(mode)
  const scenario = parseScenario(given)
  if (toTrackedRequests(scenario).length === 0) {
    throw new UsageError(
      'Failed to replay the scenario as a server: expected a request among its steps, got none. Add one.',
      [],
      'steps',
    )
  }
  const { world = rest.world ?? 'default', ...beginning } = resolveSetup(scenario, {})
  const begin = {
    ...rest,
    ...beginning,
    policies: { ...rest.policies, ...beginning.policies },
    world: world as BuiltInWorld,
  }
  const simulator = createSimulator(begin)
  const stage = (): Simulator => {
    const { baseUrl: _, ...own } = begin
    return createSimulator({ ...own, journal: { entries: 0 } })
  }
  const base = toBaseUrl(rest.baseUrl ?? '*')
  const replay = new Replay(scenario, { mode, simulator, createFresh: stage, base, onUnexpected })
  simulator.replaying = replay
  return replay
}
