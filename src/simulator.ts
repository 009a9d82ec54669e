import { UserHandlers } from './adapters/user-handlers.ts'
import type { ExplainedResponse, ResponseReasons } from './explain/response-reasons.ts'
import type { SimulatorRunOptions } from './explain/run-in-simulator.ts'
import { toBaseUrl } from './http/url.ts'
import { JournalAccess } from './mistakes/journal-access.ts'
import type { RunReport } from './report/run-report.ts'
import type { ScenarioSource } from './scenarios/format/scenario.ts'
import { type RecordOptions, recordFromJournal } from './scenarios/recording/capture-journal.ts'
import type { Recording } from './scenarios/recording/recorder.ts'
import type { RunResult } from './scenarios/run/result.ts'
import type { ScenarioSetup } from './scenarios/run/run-scenario.ts'
import { resolveSettings } from './settings/resolve.ts'
import {
  type ForkOptions,
  forkOptionNames,
  optionNames,
  refusePageOptions,
  type SimulatorOptions,
  withSeed,
} from './simulator/options.ts'
import type { Sandboxes } from './simulator/sandboxes/sandboxes.ts'
import { checkHandlers, Service, type ServiceOptions } from './simulator/service.ts'
import { State } from './simulator/state.ts'
import { rejectUnknownFields, unexpectedValue } from './utils/errors.ts'
import { createErrorReporter } from './utils/report-error.ts'
import { Clock } from './world/clock/clock.ts'
import { openWorld } from './world/load/load-world.ts'

/** A simulated service. Several simulators can exist side by side. They share no state. */
export class Simulator extends Service {
  declare readonly sandboxes: Sandboxes<Simulator>
  /** The recorded requests and responses. */
  readonly journal: JournalAccess

  constructor(state: State, options: ServiceOptions) {
    super(state, options)
    this.journal = new JournalAccess(state)
  }

  protected open(state: State, options: ServiceOptions): Simulator {
    return new Simulator(state, options)
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
    return this.#forkWith(this.state.fork(this.state.snapshot(), options))
  }

  /**
   * Explains a response: the setting that decided a refusal, the others that it depends on with their evidence, and the
   * nearest request that succeeds. Loads on demand.
   *
   * @param response a response, its journal entry, or the id of the entry. A response is the latest one in the journal
   * with its URL and status.
   * @throws UsageError if the journal has no such response
   * @example (await simulator.explain(await fetch(url))).decided_by?.evidence // 'observed'
   */
  async explain(response: ExplainedResponse): Promise<ResponseReasons> {
    return (await import('./explain/explain.ts')).explain(response, this.state)
  }

  /**
   * Runs a scenario in a world of its own. This simulator does not change, unless `in_place` is set. It provides the
   * world, profile and clock that the scenario leaves out. Loads on demand.
   *
   * @throws UsageError with every issue of the scenario; then nothing runs
   * @example expect(scenarioReport(await simulator.run(story))).toContain('7 of 7 steps passed')
   */
  async run(scenario: ScenarioSource, options: SimulatorRunOptions = {}): Promise<RunResult> {
    const { loadSetupWorld, runInSimulator } = await import('./explain/run-in-simulator.ts')
    const open = (setup: ScenarioSetup): Simulator => {
      const loaded = loadSetupWorld(setup, this.state, this.sandboxes)
      return this.#forkWith(this.state.fork(loaded, setup, { skipsDelays: true }))
    }
    return runInSimulator(scenario, options, open, this)
  }

  /**
   * Records the requests in the journal as a scenario, with the world before the first one. Ids of responses are saved,
   * times are matched, keys become labels, and personal data is replaced.
   *
   * @throws UsageError for an invalid option, and if there are no requests
   * @example const { scenario, warnings } = simulator.record({ title: 'A launch is announced' })
   */
  record(options: RecordOptions = {}): Recording {
    return recordFromJournal(this.state, options, this.sandboxes)
  }

  /**
   * Reports on the requests in the journal: the mistakes of the client, the settings that the responses rest on, with the
   * evidence for each, and the scopes that each key used.
   *
   * @returns a report that counts, in `not_covered`, the requests that the journal no longer has
   * @throws UsageError if the journal is disabled
   * @example (await simulator.report()).settings.filter(({ evidence }) => evidence === 'assumed')
   */
  async report(): Promise<RunReport> {
    const { reportJournal } = await import('./report/report-journal.ts')
    return reportJournal(this)
  }

  /** A copy with its own list of handlers. */
  #forkWith(state: State): Simulator {
    const userHandlers = new UserHandlers(this.userHandlers.current)
    return new Simulator(state, { ...this.options, userHandlers })
  }
}

/**
 * Creates a simulator of the API, synchronously and without a server.
 *
 * @throws UsageError for an unknown option, world, profile or setting, and for an invalid world
 * @example const simulator = createSimulator({ world: 'default', clock: '2024-06-01T00:00:00Z' })
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  return openSimulator(options)
}

/** @param skipsDelays whether the delays and holds of faults take no time */
export function openSimulator(options: SimulatorOptions, skipsDelays = false): Simulator {
  refusePageOptions(options)
  rejectUnknownFields(options, optionNames, 'create a simulator')
  const { world = 'default', profile, settings: overrides, seed, clock = 'real' } = options
  const { journal, baseUrl = '*', handlers = [], sandboxes: limit = 10_000 } = options
  const { explain: explains = false, onError } = options
  const settings = resolveSettings(profile, overrides)
  const opened = openWorld(world, settings)
  checkHandlers(handlers, 'create a simulator')
  if (typeof explains !== 'boolean') {
    throw unexpectedValue('explain responses', 'true or false', explains, undefined, 'explain')
  }
  const state = new State({
    loaded: withSeed(opened, seed),
    settings,
    clock: new Clock(clock),
    journal,
    onError: createErrorReporter(onError),
    skipsDelays,
  })
  const userHandlers = new UserHandlers(handlers)
  return new Simulator(state, { base: toBaseUrl(baseUrl), userHandlers, explains, limit })
}
