import { OwnHandlers } from './adapters/msw.ts'
import { JournalAccess } from './analysis/journal-access.ts'
import type { ExplainedResponse, ResponseReasons } from './analysis/reasons/response-reasons.ts'
import type { SimulatorReplayOptions } from './analysis/replay-in-simulator.ts'
import type { RunReport } from './analysis/report/report-schema.ts'
import { createExplainer } from './sandbox/journal/why-header.ts'
import { openRouter, Router } from './sandbox/router.ts'
import type { Sandboxes } from './sandbox/sandboxes/sandboxes.ts'
import { checkHandlers, defineLazily, SimulatorBase } from './sandbox/simulator-base.ts'
import {
  type ForkOptions,
  forkOptionNames,
  optionNames,
  type SimulatorOptions,
  withSeed,
} from './sandbox/simulator-options.ts'
import type { Scenario } from './scenarios/format/scenario.ts'
import { type RecordOptions, recordFromJournal } from './scenarios/recording/capture-journal.ts'
import type { Recording } from './scenarios/recording/recorder.ts'
import type { Replay } from './scenarios/replay-server/replay.ts'
import type { ReplayResult } from './scenarios/run/result.ts'
import type { ScenarioSetup } from './scenarios/run/run-scenario.ts'
import { resolveSettings } from './settings/resolve.ts'
import type { SettingValues } from './settings/setting.ts'
import { rejectUnknownFields } from './utils/errors.ts'
import type { LoadedWorld } from './world/load/build-world.ts'
import { openWorld } from './world/load/load-world.ts'

/** A simulated service. Several simulators can exist side by side. They share no state. */
export class Simulator extends SimulatorBase {
  declare readonly sandboxes: Sandboxes<Simulator>
  /** The recorded requests and responses. */
  declare readonly journal: JournalAccess
  /** The replay that answers in front of this simulator on a server, or null. */
  replaying: Replay | null = null

  /** @param limit the largest number of sandboxes at once */
  constructor(router: Router, limit = 10_000) {
    super(router, limit)
  }

  static {
    defineLazily(Simulator.prototype, {
      journal: ({ sandbox, router }) => new JournalAccess(sandbox, router.origin),
    })
  }

  protected openInner(router: Router): Simulator {
    return new Simulator(router, 0)
  }

  /**
   * Creates a copy of this simulator with its rows, keys, settings and clock. Later changes affect only one of the two.
   * Takes constant time.
   *
   * @throws UsageError for an invalid option
   * @example const other = simulator.fork({ profile: 'live' })
   */
  fork(options: ForkOptions = {}): Simulator {
    rejectUnknownFields(options, forkOptionNames, 'fork the simulator')
    const loaded = this.sandbox.snapshot()
    const router = this.#forkRouter(loaded, options)
    return new Simulator(router, this.sandboxes.limit)
  }

  /**
   * Explains a response: the setting that decided it, the others that it depends on with their evidence, and the nearest
   * request that succeeds. Loads on demand.
   *
   * @param response a response, its journal entry, or the id of the entry. A response is the latest one in the journal
   * with its URL and status, and with its body if that was not read yet.
   * @throws UsageError if the journal has no such response
   * @example (await simulator.explain(await fetch(url))).decided_by?.evidence // 'observed'
   */
  async explain(response: ExplainedResponse): Promise<ResponseReasons> {
    return (await import('./analysis/reasons/explain.ts')).explain(response, this.sandbox)
  }

  /**
   * Replays a scenario in a world of its own. This simulator does not change, unless `in_place` is set. It provides the
   * world, profile and clock that the scenario leaves out. Loads on demand.
   *
   * @throws UsageError with every issue of the scenario; then nothing runs
   * @example expect(scenarioReport(await simulator.replay(story))).toContain('7 of 7 steps passed')
   */
  async replay(scenario: Scenario, options: SimulatorReplayOptions = {}): Promise<ReplayResult> {
    const { loadSetupWorld, runInSimulator } = await import('./analysis/replay-in-simulator.ts')
    const open = (setup: ScenarioSetup): Simulator => {
      const loaded = loadSetupWorld(setup, this.sandbox, this.sandboxes)
      return new Simulator(this.#forkRouter(loaded, setup), 0)
    }
    return runInSimulator(scenario, options, open, { own: this, url: this.router.url })
  }

  /**
   * Records the requests in the journal as a scenario, with the world before the first one. Ids of responses are saved,
   * times are matched, keys become labels, and personal data is replaced.
   *
   * @throws UsageError for an invalid option, and if there are no requests
   * @example const { scenario, warnings } = simulator.record({ title: 'A launch is announced' })
   */
  record(options: RecordOptions = {}): Recording {
    return recordFromJournal(this.sandbox, this.router.origin, options, this.sandboxes)
  }

  /**
   * Reports on the requests in the journal: which operations, statuses, fields and settings they exercised and which
   * they never did, with the evidence for each, the scopes that each key used, and the client's mistakes.
   *
   * @returns a report that counts, in `not_covered`, the requests that the journal no longer has
   * @throws UsageError if the journal is disabled
   * @example (await simulator.report()).operations.filter(({ exercised }) => !exercised)
   */
  async report(): Promise<RunReport> {
    const { reportJournal } = await import('./analysis/report/run-follower.ts')
    return reportJournal(this.sandbox, this.journal)
  }

  #forkRouter(loaded: LoadedWorld, options: ForkOptions): Router {
    const { base, explain, own } = this.router
    const sandbox = this.sandbox.fork(loaded, options)
    return new Router(sandbox, base, explain, new OwnHandlers(own.current))
  }
}

/**
 * Creates a simulator of the API, synchronously and without a server.
 *
 * @throws UsageError for an unknown option, world, profile or setting, and for an invalid world
 * @example const simulator = createSimulator({ world: 'default', clock: '2024-06-01T00:00:00Z' })
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const settings = readSettings(options)
  const { world = 'default' } = options
  return open(openWorld(world, settings), settings, options)
}

function readSettings(options: SimulatorOptions): SettingValues {
  rejectUnknownFields(options, optionNames, 'create a simulator')
  return resolveSettings(options.profile, options.settings)
}

function open(loaded: LoadedWorld, settings: SettingValues, options: SimulatorOptions): Simulator {
  const { seed, sandboxes, handlers = [] } = options
  checkHandlers(handlers, 'create a simulator')
  const explain = createExplainer(options.explain)
  const router = openRouter(withSeed(loaded, seed), settings, options, explain)
  return new Simulator(router, sandboxes)
}
