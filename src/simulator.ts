import type { HttpHandler } from 'msw'
import type { ApiResponse, RequestHead } from './http/messages.ts'
import { resolvePolicies } from './policies/settings.ts'
import { Policies } from './policies/simulator-policies.ts'
import { Actors } from './sandbox/actors/actors.ts'
import { Faults } from './sandbox/faults/faults.ts'
import { JournalAccess } from './sandbox/journal/journal-access.ts'
import { openRouter, Router } from './sandbox/router.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { SandboxRequest } from './sandbox/sandboxes/sandbox-request.ts'
import { forkFields, rejectUnknownFields, withSeed } from './sandbox/sandboxes/sandbox-request.ts'
import { Sandboxes } from './sandbox/sandboxes/sandboxes.ts'
import { SimulatorBase } from './sandbox/simulator-base.ts'
import { optionNames, type SimulatorOptions } from './sandbox/simulator-options.ts'
import type { Scenario } from './scenarios/format/scenario.ts'
import type { RecordOptions } from './scenarios/recording/journal-span.ts'
import { recordFromJournal } from './scenarios/recording/record-journal.ts'
import type { Recording } from './scenarios/recording/write-scenario.ts'
import type { Replay } from './scenarios/replay-server/replay.ts'
import type { ReplayResult } from './scenarios/run/result.ts'
import type { ReplayOptions } from './scenarios/run/run-scenario.ts'
import { loadSetupWorld, runInSimulator, type ScenarioSetup } from './scenarios/run/run-scenario.ts'
import type { Clock } from './world/clock/clock.ts'
import { openWorld } from './world/load/load-world.ts'
import { uncheckedFields } from './world/world-format.ts'

/** One simulated service. Several live side by side without seeing each other. */
export class Simulator extends SimulatorBase {
  readonly policies: Policies
  readonly clock: Clock
  /** Second actors, who write at moments that requests decide. */
  readonly actors: Actors
  /** The rules that disturb answers. */
  readonly faults: Faults
  /** Other worlds that the same handlers answer from, chosen by key or by address. */
  readonly sandboxes: Sandboxes
  /** What was asked, and what was answered. */
  readonly journal: JournalAccess
  /** The replay that answers before it on a server; null where none does. */
  replaying: Replay | null = null
  readonly #service: Router

  /** @param limit the most sandboxes that there can be beside it at once */
  constructor(service: Router, limit = 10_000) {
    const { sandbox, base } = service
    super(sandbox)
    this.#service = service
    this.clock = sandbox.clock
    this.actors = sandbox.actors = new Actors(sandbox)
    this.faults = sandbox.faults = new Faults(sandbox)
    this.policies = new Policies(sandbox)
    this.journal = new JournalAccess(sandbox, service.origin)
    const open = (inner: Sandbox): Simulator => new Simulator(new Router(inner, base), 0)
    this.sandboxes = new Sandboxes({ sandbox, base, snapshots: this.snapshots.all, limit, open })
    service.resolver = this.sandboxes
  }

  /**
   * Real MSW handlers, one for each endpoint: for `setupServer`, `setupWorker` or `toExpress`. Made when first
   * asked for, then always the same.
   */
  get handlers(): HttpHandler[] {
    return this.#service.handlers
  }

  /** What stands behind the handlers: for who asks without MSW, as a server does. */
  get endpointHandlers(): Router['endpointHandlers'] {
    return this.#service.endpointHandlers
  }

  /**
   * Answers a request as a server of this API does, unknown paths included.
   *
   * @param input a path is taken from the base URL on, or from http://localhost
   * @throws TypeError where a fault breaks the connection, as fetch does
   * @example await simulator.fetch('/api/projects/', { headers: { authorization: `Bearer ${key}` } })
   */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response> {
    return this.#service.fetch(input, init)
  }

  /** The service's answer to a path it does not have; a header names the endpoints nearest to it. */
  notFound(method: string, head: RequestHead): ApiResponse {
    return this.#service.notFound(method, head)
  }

  /**
   * Another simulator that begins with the rows, policies and clock of this one as they are, keys included:
   * neither sees what the other does from here on. Costs the same at any size.
   *
   * @throws UsageError for what it cannot begin with
   * @example const other = simulator.fork({ profile: 'live' })
   */
  fork(request: Pick<SandboxRequest, 'seed' | 'profile' | 'policies' | 'clock'> = {}): Simulator {
    rejectUnknownFields(request, forkFields, 'fork the simulator')
    const service = this.#service.like(this.#service.sandbox.snapshot(), request)
    return new Simulator(service, this.sandboxes.limit)
  }

  /**
   * Replays a scenario in a world of its own: this one stays as it is, and is what the scenario begins with where
   * it names no world, profile or clock.
   *
   * @throws UsageError with every fault of the scenario; then nothing was run
   * @example expect(scenarioReport(await simulator.replay(story))).toContain('7 of 7 steps as expected')
   */
  replay(scenario: Scenario, options: ReplayOptions = {}): Promise<ReplayResult> {
    const open = (beginning: ScenarioSetup): Simulator => {
      const rows = loadSetupWorld(beginning, this.#service.sandbox, this.sandboxes)
      return new Simulator(this.#service.like(rows, beginning), 0)
    }
    return runInSimulator(scenario, options, open, this.#service.address)
  }

  /**
   * What was asked, as a scenario that happens again in a world that begins the same: as much as the journal keeps.
   * Ids that came from an answer are saved, times are matched, keys go by their labels, personal data is replaced.
   *
   * @throws UsageError for a bad option, and where nothing was asked
   * @example const { scenario, warnings } = simulator.record({ title: 'A launch is announced' })
   */
  record(options: RecordOptions = {}): Recording {
    return recordFromJournal(this.#service.sandbox, this.#service.origin, options)
  }
}

/**
 * Makes a simulator of the API, at once and without a server.
 *
 * @throws UsageError for an unknown option, world, profile or policy, or a world with faults
 * @example const simulator = createSimulator({ world: 'default', clock: '2024-06-01T00:00:00Z' })
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  rejectUnknownFields(options, optionNames, 'create a simulator')
  const { world = 'default', seed, profile, policies, sandboxes } = options
  const settings = resolvePolicies(profile, policies)
  const loaded = withSeed(openWorld(world, uncheckedFields(settings)), seed)
  return new Simulator(openRouter(loaded, settings, options), sandboxes)
}
