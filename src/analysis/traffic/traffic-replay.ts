import type { PolicyId, PolicySettings } from '../../policies/policies.ts'
import type { PolicyOverrides } from '../../policies/settings.ts'
import { withoutDelays } from '../../sandbox/faults/rule.ts'
import type { JournalRecord } from '../../sandbox/journal/journal.ts'
import { JournalReader } from '../../sandbox/journal/journal-reader.ts'
import { usedPolicies } from '../../sandbox/journal/used-policies.ts'
import { openRouter, Router } from '../../sandbox/router.ts'
import { SimulatorBase } from '../../sandbox/simulator-base.ts'
import { withSeed } from '../../sandbox/simulator-options.ts'
import type { ParsedScenario } from '../../scenarios/format/check-scenario.ts'
import {
  type ChangeStep,
  isRequestStep,
  type RequestStep,
  type Step,
} from '../../scenarios/format/scenario.ts'
import type { StepDifference } from '../../scenarios/run/differences.ts'
import { runStep } from '../../scenarios/run/run-steps.ts'
import { createLocalTarget } from '../../scenarios/run/simulator-target.ts'
import type { Target } from '../../scenarios/run/target.ts'
import type { LoadedWorld } from '../../world/load/build-world.ts'
import { openWorld } from '../../world/load/load-world.ts'
import { forkTables } from '../../world/tables.ts'

/** A request of the traffic, as a simulator answers it. */
export interface ReplayedRequest {
  /** The number of the request in the traffic, counted from 1 */
  readonly number: number
  /** The index of its step */
  readonly index: number
  readonly step: RequestStep
  /** The path and the query that were sent. Null for a request that was not sent */
  readonly target: string | null
  /** Of the simulator's response. Null for a request that was not sent */
  readonly status: number | null
  /** `skipped`: it needs a value that no earlier response had */
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** What the traffic has, and what the simulator responds */
  readonly differences: readonly StepDifference[]
  readonly operation: string | null
  /** The policies that the response used */
  readonly consulted: readonly PolicyId[]
}

/** The state of a replay before its latest request. */
interface Before {
  readonly loaded: LoadedWorld
  readonly saved: ReadonlyMap<string, unknown>
  /** Whether a copy of the rows is all that the request depends on: no fault waits for it */
  readonly isCopied: boolean
}

/**
 * Replays the requests of a scenario in a simulator, one after another, under policies that can be tried and changed. The
 * scenario's own profile and policies do not count, and delays are left out.
 */
export class TrafficReplay {
  /** How many requests this replay and its trials sent. */
  sent = 0
  readonly #scenario: ParsedScenario
  readonly #simulator: TrafficSimulator
  readonly #target: Target
  readonly #saved: Map<string, unknown>
  /** The settings of the start. */
  readonly #initial: PolicySettings
  #latest: JournalRecord | null = null
  #tried: JournalRecord | null = null
  #before: Before | null = null
  #index = 0
  #number = 0

  private constructor(scenario: ParsedScenario, simulator: TrafficSimulator, target: Target) {
    this.#scenario = scenario
    this.#simulator = simulator
    this.#target = target
    this.#initial = simulator.policies.settings
    this.#saved = new Map([['base_url', target.baseUrl]])
    simulator.sandbox.events.on('response', (record) => {
      this.#latest = record
    })
  }

  /** @throws UsageError for a world that cannot be loaded */
  static async open(scenario: ParsedScenario, settings: PolicySettings): Promise<TrafficReplay> {
    const simulator = TrafficSimulator.open(scenario, settings)
    const target = await openTarget(simulator, simulator.url)
    return new TrafficReplay(scenario, simulator, target)
  }

  get settings(): PolicySettings {
    return this.#simulator.policies.settings
  }

  /** How many requests a trial of the latest request sends. */
  get trialCost(): number {
    return this.#before?.isCopied ? 1 : this.#number
  }

  /** Makes the changes before the next request, and sends it. @returns null after the last request */
  async next(): Promise<ReplayedRequest | null> {
    const { steps } = this.#scenario
    for (; this.#index < steps.length; this.#index += 1) {
      const step = steps[this.#index] as Step
      if (isRequestStep(step)) {
        this.#number += 1
        this.#before = this.#capture()
        const replayed = await this.#send(step)
        this.#index += 1
        return replayed
      }
      const change = withoutSettings(step)
      if (change) await runStep(change, this.#index, this.#target, this.#saved, false)
    }
    return null
  }

  /** Sends the latest request again under changed policies, in a copy of the rows before it. */
  async attempt(changes: PolicyOverrides): Promise<Attempt> {
    const { loaded, saved, isCopied } = this.#before as Before
    if (!isCopied) return this.#attemptFromStart(changes)
    this.sent += 1
    const fork = this.#simulator.fork(loaded, changes)
    const target = await openTarget(fork, this.#target.baseUrl)
    const stop = fork.sandbox.events.on('response', (record) => {
      this.#tried = record
    })
    const index = this.#index - 1
    const step = this.#scenario.steps[index] as Step
    const { differences } = await runStep(step, index, target, new Map(saved), false)
    stop()
    return { differences, consulted: consultedBy(this.#tried) }
  }

  /** Sends the latest request again under changed policies, and goes on from its response. */
  async repeat(changes: PolicyOverrides, scope: 'once' | 'from now on'): Promise<void> {
    const { settings } = this
    this.undo()
    this.#simulator.policies.set(changes)
    const index = this.#index - 1
    await this.#send(this.#scenario.steps[index] as RequestStep, index)
    if (scope === 'once') this.#simulator.policies.set(settings)
  }

  /** Takes back what the latest request wrote. */
  undo(): void {
    this.#simulator.sandbox.restore((this.#before as Before).loaded)
  }

  /** Whether the latest request wrote a row. */
  get hasWritten(): boolean {
    return (this.#latest?.changes.length ?? 0) > 0
  }

  async #send(step: RequestStep, index = this.#index): Promise<ReplayedRequest> {
    this.#latest = null
    this.sent += 1
    const executed = await runStep(step, index, this.#target, this.#saved, false)
    const { outcome, request, response, differences } = executed
    const record = this.#latest as JournalRecord | null
    return {
      number: this.#number,
      index,
      step,
      target: request?.url.slice(this.#target.baseUrl.length) ?? null,
      status: response?.status ?? null,
      outcome: outcome as ReplayedRequest['outcome'],
      differences,
      operation: record?.operation ?? null,
      consulted: consultedBy(record),
    }
  }

  #capture(): Before {
    const { sandbox, faults } = this.#simulator
    const loaded = { ...sandbox.loaded, tables: forkTables(sandbox.tables) }
    const isOver = ({ when, applied }: { when?: { times?: number }; applied: number }) =>
      applied >= (when?.times ?? Number.POSITIVE_INFINITY)
    const isCopied = faults.list().every(isOver)
    return { loaded, saved: this.#saved, isCopied }
  }

  /** Repeats the replay from its start, and changes the policies before the latest request. */
  async #attemptFromStart(changes: PolicyOverrides): Promise<Attempt> {
    const replay = await TrafficReplay.open(this.#scenario, this.#initial)
    while (replay.#number < this.#number - 1) await replay.next()
    replay.#simulator.policies.set({ ...this.settings, ...changes })
    const latest = await replay.next()
    this.sent += replay.sent
    return latest ?? { differences: [], consulted: [] }
  }
}

/** The latest request under other policies. */
type Attempt = Pick<ReplayedRequest, 'differences' | 'consulted'>

function consultedBy(record: JournalRecord | null): PolicyId[] {
  return record ? usedPolicies(record).map(({ id }) => id as PolicyId) : []
}

/** A simulator whose rows are copied for each trial. */
class TrafficSimulator extends SimulatorBase {
  readonly journal: JournalReader

  constructor(router: Router) {
    super(router, 0)
    this.journal = new JournalReader(router.sandbox, router.origin)
  }

  protected openInner(router: Router): TrafficSimulator {
    return new TrafficSimulator(router)
  }

  static open(scenario: ParsedScenario, settings: PolicySettings): TrafficSimulator {
    const { world = 'default', seed, clock } = scenario
    const loaded = withSeed(openWorld(world as 'default', settings), seed)
    const options = { ...(clock !== undefined && { clock }), journal: { entries: 1 } }
    return new TrafficSimulator(openRouter(loaded, settings, options))
  }

  get url(): string {
    return this.router.url
  }

  fork(loaded: LoadedWorld, policies: PolicyOverrides): TrafficSimulator {
    const sandbox = this.sandbox.fork(loaded, { policies })
    return new TrafficSimulator(new Router(sandbox, this.router.base))
  }
}

/** A label that the world lacks is that of a key that the service does not know, either. */
async function openTarget(simulator: TrafficSimulator, baseUrl: string): Promise<Target> {
  const target = await createLocalTarget(simulator, baseUrl)
  return { ...target, key: (label) => target.key(label) ?? `unknown-${label}` }
}

/** A change without what it says about policies and time. Null if it says nothing else. */
function withoutSettings(step: ChangeStep): ChangeStep | null {
  if ('profile' in step || 'policies' in step) return null
  if (!('fault' in step) || !('effect' in step.fault)) return step
  // The rule stays, because a later step can remove it by its id.
  return { ...step, fault: { ...step.fault, effect: withoutDelays(step.fault.effect) } }
}
