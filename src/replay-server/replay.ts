import type { Base } from '../http/base.ts'
import type { Answer, Call } from '../http/call.ts'
import { Redactor } from '../journal/redact.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { Simulator } from '../simulator.ts'
import { type Asked, readAsked } from './asked.ts'
import { keepBeginning } from './beginning.ts'
import { Matching } from './matching.ts'
import type { ReplayMode } from './mode.ts'
import type { UnexpectedRequest } from './nearest-recorded.ts'
import { Progress } from './progress.ts'
import { refuse, refuseAll } from './refuse.ts'
import { replayed } from './replayed.ts'
import { Simulation } from './simulation.ts'
import { completeRecording, type Tape } from './tape.ts'

/** What a recording is replayed with. */
export interface ReplayParts {
  readonly mode: ReplayMode
  /** In the world of the recording: answers what is not recorded, where the mode is fallback */
  readonly simulator: Simulator
  /** Makes another one like it, in which the recording is completed */
  readonly stage: () => Simulator
  /** Where the API begins */
  readonly base: Base
  /** Told of each request that is not recorded */
  readonly onUnexpected?: ((request: UnexpectedRequest) => void) | undefined
}

/** A recording that answers requests, and what of it was asked. */
export class Replay extends Progress {
  readonly title: string
  readonly mode: ReplayMode
  /** What is below it: the world of the recording, which answers the rest in the mode fallback. */
  readonly simulator: Simulator
  readonly #scenario: Scenario
  readonly #options: ReplayParts
  readonly #simulation: Simulation
  readonly #matching: Matching
  readonly #toBeginning: () => void
  #loading: Promise<Tape> | null = null
  #saved = new Map<string, unknown>()

  constructor(scenario: Scenario, options: ReplayParts) {
    super(scenario)
    const { mode, simulator, base } = options
    this.title = scenario.title
    this.mode = mode
    this.simulator = simulator
    this.#scenario = scenario
    this.#options = options
    this.#simulation = new Simulation(simulator, scenario, base.prefix)
    this.#matching = new Matching(this.recorded, base.prefix)
    this.#toBeginning = keepBeginning(simulator)
  }

  /** Where the API begins. */
  get base(): Base {
    return this.#options.base
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
    const asked = readAsked(call, target, (key) => this.#labelOf(key, tape))
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
    this.#saved = new Map(tape.saved)
    this.#matching.fill(this.#saved)
    if (this.mode === 'fallback') await this.#simulation.begin(this.#saved)
    return tape
  }

  #labelOf(key: string, { labels }: Tape): string | undefined {
    return labels.get(key) ?? this.simulator.keys.list().find(({ value }) => value === key)?.label
  }

  #redactor(): Redactor {
    return new Redactor(this.simulator.keys.list().map(({ value }) => value))
  }

  #meetUnexpected(asked: Asked, call: Call, target: string): Answer | Promise<Answer> {
    const redactor = this.#redactor()
    const [path = '/', query] = target.split(/\?(.*)/s)
    const unexpected = {
      method: call.method,
      path: `${redactor.path(path)}${query === undefined ? '' : `?${redactor.form(query)}`}`,
      nearest: this.#matching.nearest(asked, redactor),
    }
    this.miss(unexpected)
    this.#options.onUnexpected?.(unexpected)
    return this.mode === 'fallback' ? this.#simulation.answer(call, target) : refuse(unexpected)
  }
}
