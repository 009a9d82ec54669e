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
import type { SettingValues } from '../../settings/setting.ts'
import type { WorldJson } from '../../world/world-json.ts'
import { type Hypothesis, settingsOf, worldOf } from './hypothesis.ts'
import { ComparedSimulator, type SavedSimulator } from './simulator.ts'

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
  /** The settings at the request, and the ids of those that the response depends on */
  readonly settings: SettingValues
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

/** All that the next requests depend on. */
export interface SimulatedState {
  readonly simulator: SavedSimulator
  readonly saved: ReadonlyMap<string, unknown>
  /** The settings of the scenario */
  readonly given: SettingValues
  /** Whether a read changes nothing: no fault counts it */
  readonly isQuiet: boolean
  /** What the step before it wrote, and what it saved, as JSON */
  readonly effects: string
}

interface ScriptOptions {
  /** A simulator in the world of a hypothesis. By default in that of the scenario */
  readonly openWorld?: (hypothesis: Hypothesis) => ComparedSimulator
  /** Whether a write of a request that the service refused is taken back, so that later requests see the same rows */
  readonly undoesRefused?: boolean
  /** The names of steps that may not have happened, by their indexes. A hypothesis says whether they did */
  readonly possible?: ReadonlyMap<number, string>
}

/** Whether a step that may not have happened did. */
export const possibilities = ['did not happen', 'happened'] as const

/**
 * The steps of a scenario, played by simulators with other settings: those of a hypothesis take precedence over those of
 * the scenario. Delays are left out.
 */
export class Script {
  readonly steps: readonly ComparedStep[]
  readonly options: ScriptOptions
  readonly #scenario: Scenario
  readonly #reads: readonly boolean[]
  /** The simulators that others are copies of, by their worlds. */
  readonly #originals = new Map<string, ComparedSimulator>()

  constructor(scenario: Scenario, options: ScriptOptions = {}) {
    this.#scenario = scenario
    this.options = options
    this.steps = groupSteps(scenario)
    this.#reads = this.steps.map(({ step, changes: before }) => {
      return before.length === 0 && step.save === undefined && !isWrite(step)
    })
  }

  get length(): number {
    return this.steps.length
  }

  step(at: number): RequestStep {
    return (this.steps[at] as ComparedStep).step
  }

  /** Opens a simulator before the first request. @throws UsageError for a world that cannot be loaded */
  async open(hypothesis: Hypothesis): Promise<Stage> {
    const simulator = this.#originalOf(hypothesis).copy()
    return new Stage(this, simulator, await simulator.target(), hypothesis)
  }

  #originalOf(hypothesis: Hypothesis): ComparedSimulator {
    const name = worldOf(hypothesis)
    const known = this.#originals.get(name)
    const original = known ?? this.options.openWorld?.(hypothesis) ?? this.#openOwnWorld()
    this.#originals.set(name, original)
    return original
  }

  #openOwnWorld(): ComparedSimulator {
    const { world = 'default', ...setup } = this.#scenario
    return ComparedSimulator.from(world as WorldJson, resolveSettings(), setup)
  }

  /** Whether a request changes nothing, whatever the settings are. */
  isRead(at: number): boolean {
    return this.#reads[at] === true
  }
}

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
  #given: SettingValues
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
    this.#given = simulator.state.initialSettings
    this.#assume(this.#given)
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
    const before = this.#script.options.undoesRefused ? state.snapshot() : null
    const writes = this.#effects.length
    const saved = new Map(this.#saved)
    this.#simulator.takeLatest()
    this.#response = null
    const { outcome, differences } = await runStep(step, index, this.#target, this.#saved, false)
    const { used, operation } = this.#simulator.takeLatest()
    const settings = state.settingTracker.untracked
    if (before && isRefused(step) && this.#effects.length > writes) state.restore(before)
    if (step.save) this.#effects.push([...this.#saved])
    return { outcome, differences, response: this.#response, saved, operation, settings, used }
  }

  #hasHappened(index: number): boolean {
    const name = this.#script.options.possible?.get(index)
    return name === undefined || this.#hypothesis[name] === possibilities[1]
  }

  async #change(change: ChangeStep, index: number): Promise<void> {
    const { state } = this.#simulator
    state.settings = this.#given
    await runStep(change, index, this.#target, this.#saved, false)
    this.#assume(state.settingTracker.untracked)
  }

  /** The state before the next request. */
  save(): SimulatedState {
    const simulator = this.#simulator.saveAll()
    const faults = simulator.faults.list()
    return {
      simulator,
      saved: new Map(this.#saved),
      given: this.#given,
      isQuiet: faults.every(({ when, applied }) => applied >= (when?.times ?? Infinity)),
      effects: JSON.stringify([...this.#effects, simulator.clock, faults]),
    }
  }

  restore({ simulator, saved, given }: SimulatedState): void {
    this.#simulator.restoreAll(simulator)
    this.#saved = new Map(saved)
    if (given !== this.#given) this.#assume(given)
  }

  /** @param given the settings of the scenario */
  #assume(given: SettingValues): void {
    this.#given = given
    this.#simulator.state.settings = settingsOf(this.#hypothesis, given)
  }
}

/** Whether a service refused a request. */
function isRefused({ expect = {} }: RequestStep): boolean {
  return typeof expect.status === 'number' && expect.status >= 400 && !expect.broken
}
