import { endpoints } from '../../api/endpoints.ts'
import { isSafeMethod } from '../../http/url.ts'
import type { ParsedScenario } from '../../scenarios/format/check-scenario.ts'
import {
  type ChangeStep,
  isRequestStep,
  type RequestStep,
  type Scenario,
} from '../../scenarios/format/scenario.ts'
import type { StepDifference } from '../../scenarios/run/differences.ts'
import type { StepResult } from '../../scenarios/run/result.ts'
import { runStep } from '../../scenarios/run/run-steps.ts'
import { createLocalTarget } from '../../scenarios/run/simulator-target.ts'
import type { Target } from '../../scenarios/run/target.ts'
import { overrideSettings, resolveSettings, type SettingOverrides } from '../../settings/resolve.ts'
import { withoutDelays } from '../../simulator/faults/fault.ts'
import { matchesPath } from '../../simulator/request-pattern.ts'
import type { ClockReading } from '../../world/clock/clock.ts'
import type { LoadedWorld } from '../../world/load/build-world.ts'
import { forkTables } from '../../world/tables.ts'
import { type Hypothesis, type Played, type Script, type Stage, settingsOf } from './run.ts'
import { ComparedSimulator } from './simulator.ts'

/** What a simulator does with a step. */
export interface PlayedStep {
  readonly outcome: StepResult['outcome']
  /** What the step expects, and what the simulator answers */
  readonly differences: readonly StepDifference[]
  /** The path and the query that were sent. Null for a request that was not sent */
  readonly target: string | null
  readonly status: number | null
  readonly operation: string | null
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

interface StepState {
  readonly loaded: LoadedWorld
  readonly saved: ReadonlyMap<string, unknown>
  readonly clock: ClockReading
  /** What the step before it wrote, and what it saved, as JSON */
  readonly effects: string
}

interface StepScriptOptions {
  /** Whether a write of a request that the service refused is taken back, so that later requests see the same rows */
  readonly undoesRefused: boolean
  /** Whether the steps that set a profile or settings count */
  readonly keepsSettings: boolean
  /** The names of steps that may not have happened, by their indexes. A hypothesis says whether they did */
  readonly possible: ReadonlyMap<number, string>
}

/** Whether a step that may not have happened did. */
export const possibilities = ['did not happen', 'happened'] as const

/** Plays the requests of a scenario in simulators. Delays are left out. */
export class StepScript implements Script<PlayedStep, StepState> {
  readonly steps: readonly ComparedStep[]
  readonly scenario: ParsedScenario
  readonly options: StepScriptOptions
  /** Whether the state between two steps is no more than rows, saved values and a clock. */
  readonly canRestore: boolean
  readonly #original: ComparedSimulator

  /** @throws UsageError for a world that cannot be loaded */
  constructor(scenario: ParsedScenario, options: StepScriptOptions) {
    this.scenario = scenario
    this.options = options
    this.steps = groupSteps(scenario)
    const changes = this.steps.flatMap(({ changes: all }) => all.map(({ change }) => change))
    this.canRestore = !changes.some((change) => lastingKinds.some((kind) => kind in change))
    const { world = 'default', seed, clock } = scenario
    this.#original = ComparedSimulator.from(world as 'default', resolveSettings(), { seed, clock })
  }

  get length(): number {
    return this.steps.length
  }

  async open(hypothesis: Hypothesis): Promise<Stage<PlayedStep, StepState>> {
    const simulator = this.#original.copy(settingsOf(hypothesis))
    const opened = await createLocalTarget(simulator, simulator.url)
    // A label that the world lacks is that of a key that the service does not know, either.
    const target = { ...opened, key: (label: string) => opened.key(label) ?? `unknown-${label}` }
    return new StepStage(this, simulator, target, hypothesis)
  }

  isRead(at: number): boolean {
    const { step, changes } = this.steps[at] as ComparedStep
    if (changes.length > 0 || step.save !== undefined || !isSafeMethod(step.method)) return false
    const [path = ''] = step.path.split('?')
    return !endpoints.some((one) => one.changesRows && matchesPath(path, one.path))
  }

  isSameState(one: StepState, other: StepState): boolean {
    return one.effects === other.effects
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

class StepStage implements Stage<PlayedStep, StepState> {
  readonly #script: StepScript
  readonly #simulator: ComparedSimulator
  readonly #target: Target
  readonly #hypothesis: Hypothesis
  #saved: Map<string, unknown>
  #effects: unknown[] = []

  constructor(
    script: StepScript,
    simulator: ComparedSimulator,
    target: Target,
    hypothesis: Hypothesis,
  ) {
    this.#script = script
    this.#simulator = simulator
    this.#target = target
    this.#hypothesis = hypothesis
    this.#saved = new Map([['base_url', target.baseUrl]])
    simulator.state.events.on('write', (...write) => this.#effects.push(write))
  }

  async play(at: number): Promise<Played<PlayedStep>> {
    const { step, index, changes } = this.#script.steps[at] as ComparedStep
    this.#effects = []
    for (const { index: at, change } of changes) {
      if (this.#hasHappened(at)) await this.#change(change, at)
    }
    const { state } = this.#simulator
    const before = this.#script.options.undoesRefused ? this.#copyRows() : null
    const writes = this.#effects.length
    this.#simulator.takeLatest()
    const executed = await runStep(step, index, this.#target, this.#saved, false)
    const { used, operation } = this.#simulator.takeLatest()
    if (before && isRefused(step) && this.#effects.length > writes) state.restore(before)
    if (step.save) this.#effects.push([...this.#saved])
    const { outcome, request, response, differences } = executed
    const answer: PlayedStep = {
      outcome,
      differences,
      target: request?.url.slice(this.#target.baseUrl.length) ?? null,
      status: response?.status ?? null,
      operation,
    }
    return { answer, used }
  }

  #hasHappened(index: number): boolean {
    const name = this.#script.options.possible.get(index)
    return name === undefined || this.#hypothesis[name] === possibilities[1]
  }

  async #change(change: ChangeStep, index: number): Promise<void> {
    if ('profile' in change || 'settings' in change) {
      if (this.#script.options.keepsSettings) this.#setSettings(change)
      return
    }
    const isFault = 'fault' in change && 'effect' in change.fault
    const applied = isFault
      ? { ...change, fault: { ...change.fault, effect: withoutDelays(change.fault.effect) } }
      : change
    await runStep(applied, index, this.#target, this.#saved, false)
  }

  /** Sets what a step sets, but for the settings that the hypothesis is about. */
  #setSettings(change: ChangeStep): void {
    const { settings } = this.#simulator
    const { scenario } = this.#script
    const start = overrideSettings(resolveSettings(scenario.profile), scenario.settings ?? {})
    const set: SettingOverrides =
      'profile' in change
        ? (resolveSettings(change.profile) as SettingOverrides)
        : 'settings' in change
          ? change.settings
          : {}
    const own = Object.entries(this.#hypothesis).filter(
      ([id, value]) => (start as Hypothesis)[id] !== value && !id.startsWith('world.'),
    )
    settings.set({ ...set, ...Object.fromEntries(own) })
  }

  #copyRows(): LoadedWorld {
    const { state } = this.#simulator
    return { ...state.loaded, tables: forkTables(state.tables) }
  }

  save(): StepState | null {
    const { faults, clock } = this.#simulator
    const isOver = ({ when, applied }: { when?: { times?: number }; applied: number }) =>
      applied >= (when?.times ?? Number.POSITIVE_INFINITY)
    if (!this.#script.canRestore) return null
    if (!faults.list().every(isOver)) return null
    const read = clock.read()
    return {
      loaded: this.#copyRows(),
      saved: new Map(this.#saved),
      clock: read,
      effects: JSON.stringify([...this.#effects, read]),
    }
  }

  restore({ loaded, saved, clock }: StepState): void {
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
