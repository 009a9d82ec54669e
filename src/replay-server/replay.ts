import type { Base } from '../http/base.ts'
import type { Answer, Call } from '../http/call.ts'
import { Redactor } from '../journal/redact.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { Simulator } from '../simulator.ts'
import { type Asked, readAsked } from './asked.ts'
import { keepBeginning } from './beginning.ts'
import { carryOver, type RecordingChanges, savedBy } from './carry-over.ts'
import { Matching } from './matching.ts'
import type { ReplayMode } from './mode.ts'
import { Progress } from './progress.ts'
import { refuse, refuseAll } from './refuse.ts'
import type { ReplayParts } from './replay-parts.ts'
import { replayed } from './replayed.ts'
import { Simulation } from './simulation.ts'
import { completeRecording, type Tape } from './tape.ts'

/** A recording that answers requests, and what of it was asked. */
export class Replay extends Progress {
  readonly title: string
  readonly mode: ReplayMode
  /** Where the API begins. */
  readonly base: Base
  /** What is below it: the world of the recording, which answers the rest in the mode fallback. */
  readonly simulator: Simulator
  /** How its requests differ from those of the version before. */
  readonly changes: RecordingChanges
  readonly #scenario: Scenario
  readonly #options: ReplayParts
  readonly #simulation: Simulation
  readonly #matching: Matching
  readonly #toBeginning: () => void
  /** What requests that were asked before this version of the recording have saved. */
  #kept: ReadonlyMap<string, unknown> = new Map()
  #loading: Promise<Tape> | null = null
  #saved = new Map<string, unknown>()

  /** @param former the version of the recording that this one goes on from */
  constructor(scenario: Scenario, options: ReplayParts, former: Replay | null = null) {
    super(scenario)
    const { mode, simulator, base } = options
    this.title = scenario.title
    this.mode = mode
    this.base = base
    this.simulator = simulator
    this.#scenario = scenario
    this.#options = options
    const at = former ? former.#simulation.at : 0
    this.#simulation = new Simulation(simulator, scenario, base.prefix, at)
    this.#matching = new Matching(this.recorded, base.prefix)
    this.#toBeginning = former ? former.#toBeginning : keepBeginning(simulator)
    this.changes = carryOver(former?.recorded ?? [], this.recorded)
    if (former && mode === 'fallback') this.#kept = savedBy(this.recorded, former.#saved)
  }

  /**
   * Goes on with another version of its recording, in the same world: what was asked stays asked, but for reads that
   * are answered otherwise.
   *
   * @param other a replay of that version
   */
  goOnWith(other: Replay): Replay {
    const { stage } = other.#options
    return new Replay(other.#scenario, { ...this.#options, stage }, this)
  }

  /**
   * Completes what the answers leave open, which the first request does otherwise.
   *
   * @throws UsageError for an answer that cannot be sent, or a change that cannot be made
   */
  async ready(): Promise<void> {
    await this.#load()
  }

  /** Begins anew: no request was asked, and the simulation is in the world in which the recording begins. */
  rewind(): void {
    this.clear()
    this.#kept = new Map()
    this.#loading = null
    this.#toBeginning()
    this.#simulation.rewind()
  }

  /**
   * Answers a request.
   *
   * @param target its path from where the API begins, and its query
   */
  async answer(call: Call, target: string): Promise<Answer> {
    try {
      return await this.#answer(call, target, await this.#load())
    } catch (error) {
      // The recording, or a change of it, cannot be carried out: each request is told so.
      return refuseAll((error as Error).message)
    }
  }

  async #answer(call: Call, target: string, tape: Tape): Promise<Answer> {
    const asked = readAsked(call, target, this.simulator, tape.labels)
    const found = this.#matching.choose(asked, this.mode, () => this.#redactor())
    if (!found) return this.#meetUnexpected(asked, call, target)
    found.asked += 1
    const simulation = this.mode === 'fallback' ? this.#simulation : null
    const answer = await replayed(found, { call, target, tape, simulation, saved: this.#saved })
    // What it has saved may stand in other requests.
    if (simulation && found.step.save) this.#matching.fill(this.#saved)
    return answer
  }

  #load(): Promise<Tape> {
    this.#loading ??= this.#begin()
    return this.#loading
  }

  async #begin(): Promise<Tape> {
    const tape = await completeRecording(this.#scenario, this.#options.stage())
    this.#saved = new Map([...tape.saved, ...this.#kept])
    this.#matching.fill(this.#saved)
    if (this.mode === 'fallback') await this.#simulation.begin(this.#saved)
    return tape
  }

  #redactor(): Redactor {
    return new Redactor(this.simulator.keys.list().map(({ value }) => value))
  }

  #meetUnexpected(asked: Asked, call: Call, target: string): Answer | Promise<Answer> {
    const redactor = this.#redactor()
    const nearest = this.#matching.nearest(asked, redactor)
    const unexpected = { method: call.method, path: redactor.address(target), nearest }
    this.miss(unexpected)
    this.#options.onUnexpected?.(unexpected)
    return this.mode === 'fallback' ? this.#simulation.answer(call, target) : refuse(unexpected)
  }
}
