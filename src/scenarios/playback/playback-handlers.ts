import { toMswHandlers } from '../../adapters/msw.ts'
import { toBaseUrl } from '../../http/url.ts'
import { type SimulatorOptions, simulatorOptions } from '../../simulator/options.ts'
import { openSimulator, type Simulator } from '../../simulator/simulator.ts'
import { UsageError } from '../../utils/errors.ts'
import { checkOptions, type OptionTypes, option } from '../../utils/options.ts'
import type { BuiltInWorld } from '../../world/load/build-world.ts'
import { parseScenario } from '../format/check-scenario.ts'
import { isRequestStep, type ScenarioSource } from '../format/scenario.ts'
import { resolveSetup } from '../run/run-scenario.ts'
import { createPlaybackHandler } from './handler.ts'
import { Playback } from './playback.ts'
import type { UnexpectedRequest } from './unexpected-request.ts'

/** Options of `playbackHandlers`. The world, seed, profile, settings and clock of the recording take precedence. */
export interface PlaybackOptions extends SimulatorOptions {
  /** Whether requests that are not recorded get an error. By default the simulator answers them */
  readonly onlyRecorded?: boolean
  /** Called with each request that is not recorded. */
  readonly onUnexpected?: (request: UnexpectedRequest) => void
}

const playbackOptions: OptionTypes<PlaybackOptions> = {
  ...simulatorOptions,
  onlyRecorded: option.flag,
  onUnexpected: option.callback,
}

/** MSW handlers that respond from a recording, and the playback, which lists the requests so far. */
export type PlaybackHandlers = Simulator['handlers'] & { readonly playback: Playback }

/**
 * Creates MSW handlers that respond from a recording, for `setupServer`, `setupWorker` or `toExpress`.
 *
 * @throws UsageError with every issue of the scenario
 * @example
 * const handlers = playbackHandlers(recording)
 * setupServer(...handlers)
 * handlers.playback.unused
 */
export function playbackHandlers(
  scenario: ScenarioSource,
  options: PlaybackOptions = {},
): PlaybackHandlers {
  const playback = openPlayback(scenario, options)
  const handlers = toMswHandlers([createPlaybackHandler(playback, playback.base.origin !== '*')])
  return Object.assign([...handlers, ...playback.simulator.handlers], { playback })
}

/** Opens the playback of a recording, with a simulator in its initial state. @throws UsageError like `playbackHandlers` */
export function openPlayback(source: ScenarioSource, options: PlaybackOptions = {}): Playback {
  checkOptions(options, playbackOptions, 'play back the scenario')
  const { onlyRecorded = false, onUnexpected, baseUrl = '*', ...rest } = options
  const scenario = parseScenario(source)
  if (!scenario.steps.some(isRequestStep)) {
    throw new UsageError('Failed to play back the scenario: it has no requests. Add one.', 'steps')
  }
  const { world = rest.world ?? 'default', ...setup } = resolveSetup(scenario, {})
  const settings = { ...rest.settings, ...setup.settings }
  const opened = { ...rest, ...setup, settings, world: world as BuiltInWorld, baseUrl }
  const simulator = openSimulator(opened, onlyRecorded)
  const base = toBaseUrl(baseUrl)
  return new Playback(scenario, { onlyRecorded, simulator, base, onUnexpected })
}
