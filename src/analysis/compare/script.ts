import {
  type ChangeStep,
  isRequestStep,
  type RequestStep,
  type Scenario,
} from '../../scenarios/format/scenario.ts'
import type { StepDifference } from '../../scenarios/run/differences.ts'
import type { StepResult } from '../../scenarios/run/result.ts'
import { runStep } from '../../scenarios/run/run-steps.ts'
import { isWrite, type ReceivedResponse, type Target } from '../../scenarios/run/target.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import type { ClockReading } from '../../world/clock/clock.ts'
import type { LoadedWorld } from '../../world/load/build-world.ts'
import type { WorldJson } from '../../world/world-json.ts'
import { type Hypothesis, settingsOf, worldOf } from './hypothesis.ts'
import { ComparedSimulator } from './simulator.ts'

/** What a simulator does with a request. */
export interface Played {
  readonly outcome: StepResult['outcome']
  /** What the step expects, and what the simulator answers */
  readonly differences: readonly StepDifference[]
  /** Null for a request that was not sent */
  readonly response: ReceivedResponse | null
  /** The saved values before the request */
  readonly saved: ReadonlyMap<string, unknown>
  readonly operation: string | null
  /** The ids of the settings that the response depends on */
  readonly used: ReadonlySet<string>
}

/** A request step, and the changes of the world before it. */
export interface ComparedStep {
  /** The index of the step in the scenario */
  readonly index: number
  readonly step: RequestStep
  readonly changes: readonly IndexedChange[]
}

interface IndexedChange {
  /** The index of the step in the scenario */
  readonly index: number
  readonly change: ChangeStep
}

/** What a simulator knows between two requests. */
export interface SimulatedState {
  readonly loaded: LoadedWorld
  readonly saved: ReadonlyMap<string, unknown>
  readonly clock: ClockReading
  /** What the step before it wrote, and what it saved, as JSON */
  readonly effects: string
}

interface ScriptOptions {
  /** The world of a hypothesis. By default that of the scenario */
  readonly worldOf?: (hypothesis: Hypothesis) => WorldJson
  /** Whether a write of a request that the service refused is taken back, so that later requests see the same rows */
  readonly undoesRefused?: boolean
  /** The names of steps that may not have happened, by their indexes. A hypothesis says whether they did */
  readonly possible?: ReadonlyMap<number, string>
}

/** Whether a step that may not have happened did. */
export const possibilities = ['did not happen', 'happened'] as const

/** Requests that simulators with other settings answer. Delays are left out. */
export class Script {
  readonly steps: readonly ComparedStep[]
  readonly options: ScriptOptions
  /** Whether the state between two steps is no more than rows, saved values and a clock. */
  readonly canRestore: boolean
  readonly #scenario: Scenario
  readonly #reads: readonly boolean[]
  /** The simulators that others are copies of, by their worlds. */
  readonly #originals = new Map<string, ComparedSimulator>()

  constructor(scenario: Scenario, options: ScriptOptions) {
    this.#scenario = scenario
    this.options = options
    this.steps = groupSteps(scenario)
    const changes = this.steps.flatMap(({ changes: all }) => all.map(({ change }) => change))
    this.#reads = this.steps.map(({ step, changes: before }) => {
      return before.length === 0 && step.save === undefined && !isWrite(step)
    })
    this.canRestore = !changes.some((change) => lastingKinds.some((kind) => kind in change))
  }

  get length(): number {
    return this.steps.length
  }

  step(at: number): RequestStep {
    return (this.steps[at] as ComparedStep).step
  }

  /** Opens a simulator before the first request. @throws UsageError for a world that cannot be loaded */
  async open(hypothesis: Hypothesis): Promise<Stage> {
    const simulator = this.#originalOf(hypothesis).copy(settingsOf(hypothesis))
    return new Stage(this, simulator, await simulator.target(), hypothesis)
  }

  #originalOf(hypothesis: Hypothesis): ComparedSimulator {
    const { seed, clock, world = 'default' } = this.#scenario
    const name = worldOf(hypothesis)
    const known = this.#originals.get(name)
    if (known) return known
    const start = this.options.worldOf?.(hypothesis) ?? (world as WorldJson)
    const original = ComparedSimulator.from(start, resolveSettings(), { seed, clock })
    this.#originals.set(name, original)
    return original
  }

  /** Whether a request changes nothing, whatever the settings are. */
  isRead(at: number): boolean {
    return this.#reads[at] === true
  }
}

/** Changes that more than the rows and the clock of a simulator remember. */
const lastingKinds = ['world', 'snapshot', 'restore', 'reset', 'profile', 'settings']

function groupSteps({ steps }: Scenario): ComparedStep[] {
  const grouped: ComparedStep[] = []
  let changes: IndexedChange[] = []
  for (const [index, step] of steps.entries()) {
    if (!isRequestStep(step)) changes.push({ index, change: step })
    else {
      grouped.push({ index, step, changes })
      changes = []
    }
  }
  return grouped
}

/** A simulator between two requests. */
export class Stage {
  readonly #script: Script
  readonly #simulator: ComparedSimulator
  readonly #target: Target
  readonly #hypothesis: Hypothesis
  #saved: Map<string, unknown>
  #effects: unknown[] = []
  #response: ReceivedResponse | null = null

  constructor(
    script: Script,
    simulator: ComparedSimulator,
    target: Target,
    hypothesis: Hypothesis,
  ) {
    this.#script = script
    this.#simulator = simulator
    this.#target = {
      ...target,
      send: async (request) => {
        this.#response = await target.send(request)
        return this.#response
      },
    }
    this.#hypothesis = hypothesis
    this.#saved = new Map([['base_url', target.baseUrl]])
    simulator.state.events.on('write', (...write) => this.#effects.push(write))
  }

  /** Sends the request with an index. */
  async play(at: number): Promise<Played> {
    const { step, index, changes } = this.#script.steps[at] as ComparedStep
    this.#effects = []
    for (const { index: at, change } of changes) {
      if (this.#hasHappened(at)) await this.#change(change, at)
    }
    const { state } = this.#simulator
    const before = this.#script.options.undoesRefused ? this.#simulator.copyRows() : null
    const writes = this.#effects.length
    const saved = new Map(this.#saved)
    this.#simulator.takeLatest()
    this.#response = null
    const { outcome, differences } = await runStep(step, index, this.#target, this.#saved, false)
    const { used, operation } = this.#simulator.takeLatest()
    if (before && isRefused(step) && this.#effects.length > writes) state.restore(before)
    if (step.save) this.#effects.push([...this.#saved])
    return { outcome, differences, response: this.#response, saved, operation, used }
  }

  #hasHappened(index: number): boolean {
    const name = this.#script.options.possible?.get(index)
    return name === undefined || this.#hypothesis[name] === possibilities[1]
  }

  async #change(change: ChangeStep, index: number): Promise<void> {
    // The settings are what a hypothesis is about.
    if ('profile' in change || 'settings' in change) return
    await runStep(change, index, this.#target, this.#saved, false)
  }

  /** The state before the next request. Null if it cannot be restored */
  save(): SimulatedState | null {
    const { faults, clock } = this.#simulator
    const isOver = ({ when, applied }: { when?: { times?: number }; applied: number }) =>
      applied >= (when?.times ?? Number.POSITIVE_INFINITY)
    if (!this.#script.canRestore) return null
    if (!faults.list().every(isOver)) return null
    const read = clock.read()
    return {
      loaded: this.#simulator.copyRows(),
      saved: new Map(this.#saved),
      clock: read,
      effects: JSON.stringify([...this.#effects, read]),
    }
  }

  restore({ loaded, saved, clock }: SimulatedState): void {
    this.#simulator.faults.clear()
    this.#simulator.state.restore(loaded)
    this.#simulator.clock.set(clock)
    this.#saved = new Map(saved)
  }
}

/** Whether a service refused a request. */
function isRefused({ expect = {} }: RequestStep): boolean {
  return typeof expect.status === 'number' && expect.status >= 400 && !expect.broken
}
