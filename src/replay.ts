import { toMswHandlers } from './adapters/msw.ts'
import { toBaseUrl } from './http/url.ts'
import { parseScenario } from './scenarios/format/check-scenario.ts'
import { isRequestStep, type ScenarioSource } from './scenarios/format/scenario.ts'
import { createReplayHandler } from './scenarios/playback/handler.ts'
import { Replay } from './scenarios/playback/replay.ts'
import type { UnexpectedRequest } from './scenarios/playback/unexpected-request.ts'
import { resolveSetup } from './scenarios/run/run-scenario.ts'
import { optionNames, type SimulatorOptions } from './simulator/options.ts'
import { openSimulator, type Simulator } from './simulator.ts'
import { rejectUnknownFields, UsageError } from './utils/errors.ts'
import type { BuiltInWorld } from './world/load/build-world.ts'

/** Options of `replayHandlers`. The world, seed, profile, settings and clock of the recording take precedence. */
export interface ReplayHandlersOptions extends SimulatorOptions {
  /** Whether requests that are not recorded get an error. By default the simulator answers them */
  readonly onlyRecorded?: boolean
  /** Called with each request that is not recorded. */
  readonly onUnexpected?: (request: UnexpectedRequest) => void
}

/** MSW handlers that respond from a recording, and the replay, which lists the requests so far. */
export type ReplayHandlers = Simulator['handlers'] & { readonly replay: Replay<Simulator> }

/**
 * Creates MSW handlers that respond from a recording, for `setupServer`, `setupWorker` or `toExpress`.
 *
 * @throws UsageError with every issue of the scenario
 * @example
 * const handlers = replayHandlers(recording)
 * setupServer(...handlers)
 * handlers.replay.unused
 */
export function replayHandlers(
  scenario: ScenarioSource,
  options: ReplayHandlersOptions = {},
): ReplayHandlers {
  const replay = openReplay(scenario, options)
  const handlers = toMswHandlers([createReplayHandler(replay, replay.base.origin !== '*')])
  return Object.assign([...handlers, ...replay.simulator.handlers], { replay })
}

/** Opens the replay of a recording, with a simulator in its initial state. @throws UsageError like `replayHandlers` */
export function openReplay(
  source: ScenarioSource,
  options: ReplayHandlersOptions = {},
): Replay<Simulator> {
  rejectUnknownFields(
    options,
    [...optionNames, 'onlyRecorded', 'onUnexpected'],
    'replay the scenario',
  )
  const { onlyRecorded = false, onUnexpected, baseUrl = '*', ...rest } = options
  const scenario = parseScenario(source)
  if (!scenario.steps.some(isRequestStep)) {
    throw new UsageError(
      'Failed to replay the scenario as a server: it has no requests. Add one.',
      'steps',
    )
  }
  const { world = rest.world ?? 'default', ...setup } = resolveSetup(scenario, {})
  const settings = { ...rest.settings, ...setup.settings }
  const simulatorOptions = { ...rest, ...setup, settings, world: world as BuiltInWorld }
  const simulator = openSimulator({ ...simulatorOptions, baseUrl }, onlyRecorded)
  const base = toBaseUrl(baseUrl)
  return new Replay(scenario, { onlyRecorded, simulator, base, onUnexpected })
}
