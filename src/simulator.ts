import { resolvePolicies } from './policies/settings.ts'
import { createExplainer } from './sandbox/journal/why-header.ts'
import { openNeighbours } from './sandbox/neighbours.ts'
import { openRouter, Router } from './sandbox/router.ts'
import type { Sandboxes } from './sandbox/sandboxes/sandboxes.ts'
import { SimulatorBase } from './sandbox/simulator-base.ts'
import {
  type ForkOptions,
  forkOptionNames,
  optionNames,
  type SimulatorOptions,
  withSeed,
} from './sandbox/simulator-options.ts'
import type { Scenario } from './scenarios/format/scenario.ts'
import { type RecordOptions, recordFromJournal } from './scenarios/recording/record-journal.ts'
import type { Recording } from './scenarios/recording/recorder.ts'
import type { Replay } from './scenarios/replay-server/replay.ts'
import type { ReplayResult } from './scenarios/run/result.ts'
import {
  loadSetupWorld,
  type ReplayOptions,
  runInSimulator,
  type ScenarioSetup,
} from './scenarios/run/run-scenario.ts'
import { rejectUnknownFields } from './utils/usage-error.ts'
import type { LoadedWorld } from './world/load/build-world.ts'
import { openWorld } from './world/load/load-world.ts'
import type { Persistence } from './world/persistence/saved-state.ts'
import { uncheckedFields } from './world/world-format.ts'

/** A simulated service. Several simulators can exist side by side. They share no state. */
export class Simulator extends SimulatorBase {
  declare readonly sandboxes: Sandboxes<Simulator>
  /** The replay that answers in front of this simulator on a server, or null. */
  replaying: Replay | null = null
  /** Whether all changes are saved, if the world is persisted in a file. */
  declare persistence: Persistence | undefined

  /** @param limit the largest number of sandboxes at once */
  constructor(router: Router, limit = 10_000) {
    super(router, limit, (inner) => new Simulator(inner, 0))
  }

  /**
   * Creates a copy of this simulator with its rows, keys, policies and clock. Later changes affect only one of the two.
   * Takes constant time.
   *
   * @throws UsageError for an invalid option
   * @example const other = simulator.fork({ profile: 'live' })
   */
  fork(options: ForkOptions = {}): Simulator {
    rejectUnknownFields(options, forkOptionNames, 'fork the simulator')
    const loaded = this.router.sandbox.snapshot()
    return new Simulator(this.#forkRouter(loaded, options), this.sandboxes.limit)
  }

  /**
   * Replays a scenario in a world of its own. This simulator does not change. It provides the world, profile and clock
   * that the scenario leaves out.
   *
   * @throws UsageError with every issue of the scenario; then nothing runs
   * @example expect(scenarioReport(await simulator.replay(story))).toContain('7 of 7 steps passed')
   */
  replay(scenario: Scenario, options: ReplayOptions = {}): Promise<ReplayResult> {
    const open = (setup: ScenarioSetup): Simulator => {
      const loaded = loadSetupWorld(setup, this.router.sandbox, this.sandboxes)
      return new Simulator(this.#forkRouter(loaded, setup), 0)
    }
    return runInSimulator(scenario, options, open, this.router.url)
  }

  /**
   * Records the requests in the journal as a scenario, with the world before the first one. Ids of responses are saved,
   * times are matched, keys become labels, and personal data is replaced.
   *
   * @throws UsageError for an invalid option, and if there are no requests
   * @example const { scenario, warnings } = simulator.record({ title: 'A launch is announced' })
   */
  record(options: RecordOptions = {}): Recording {
    return recordFromJournal(this.router.sandbox, this.router.origin, options, this.sandboxes)
  }

  #forkRouter(loaded: LoadedWorld, options: ForkOptions): Router {
    const { sandbox, base, explain } = this.router
    return new Router(sandbox.fork(loaded, options), base, explain)
  }
}

/**
 * Creates a simulator of the API, synchronously and without a server.
 *
 * @throws UsageError for an unknown option, world, profile or policy, and for an invalid world
 * @example const simulator = createSimulator({ world: 'default', clock: '2024-06-01T00:00:00Z' })
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  rejectUnknownFields(options, optionNames, 'create a simulator')
  const { world = 'default', seed, profile, policies, sandboxes, neighbours } = options
  const settings = resolvePolicies(profile, policies)
  const loaded = withSeed(openWorld(world, uncheckedFields(settings)), seed)
  const router = openRouter(loaded, settings, options)
  if (neighbours !== undefined) router.sandbox.neighbours = openNeighbours(neighbours)
  router.explain = createExplainer(options.explain)
  return new Simulator(router, sandboxes)
}
