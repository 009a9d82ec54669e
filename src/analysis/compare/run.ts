import type { Hypothesis } from './hypothesis.ts'
import type { Played, Script, SimulatedState, Stage } from './script.ts'

/**
 * The answers of a simulator to all requests of a script, as far as they were asked for. A run that differs from another
 * one in some settings sends only the requests that used one of them, and, once the state differs, those after them.
 * Before the answer to a request, it sends only the writes.
 */
export class Run {
  readonly hypothesis: Hypothesis
  readonly #script: Script
  readonly #base: Run | null
  readonly #changed: readonly string[]
  readonly #played: (Played | undefined)[] = []
  /** The state before each request, up to the next one that may change it. */
  readonly #states: SimulatedState[] = []
  /** The first request before which the state is another one than in the base. */
  #divergedAt: number
  #keepsStates = false
  #stage: Stage | null = null
  /** The request whose state the simulator has. */
  #stageAt = 0

  private constructor(
    script: Script,
    hypothesis: Hypothesis,
    base: Run | null,
    changed: readonly string[],
  ) {
    this.#script = script
    this.hypothesis = hypothesis
    this.#base = base
    this.#changed = changed
    this.#divergedAt = base === null ? 0 : Number.POSITIVE_INFINITY
  }

  static start(script: Script, hypothesis: Hypothesis): Run {
    return new Run(script, hypothesis, null, [])
  }

  /** The run with other settings. @param changes settings only: another world starts anew */
  with(changes: Hypothesis): Run {
    const changed = Object.keys(changes).filter((id) => changes[id] !== this.hypothesis[id])
    return new Run(this.#script, { ...this.hypothesis, ...changes }, this, changed)
  }

  /** The run with other settings, as if these changed no state: it sends only the requests that are asked for. */
  peek(changes: Hypothesis): Run {
    const run = this.with(changes)
    run.#keepsStates = true
    return run
  }

  get length(): number {
    return this.#script.length
  }

  /** Whether the state before a request is that of the run that this one was made from. */
  async hasSameState(index: number): Promise<boolean> {
    await this.#reach(index)
    return this.#divergedAt > index
  }

  async at(index: number): Promise<Played> {
    const played = this.#played[index]
    if (played) return played
    await this.#reach(index)
    if (!this.#isRead(index) && !this.#keepsStates) await this.#reach(index + 1)
    this.#played[index] ??= (await this.#known(index)) ?? (await this.#send(index))
    return this.#played[index]
  }

  /** The state before a request. */
  async stateAt(index: number): Promise<SimulatedState> {
    await this.#reach(index)
    return this.#states[index] as SimulatedState
  }

  /** Finds the state before a request. */
  async #reach(index: number): Promise<void> {
    if (this.#states.length === 0) {
      this.#states.push((await this.#base?.stateAt(0)) ?? (await this.#open()).save())
    }
    while (this.#states.length <= index) await this.#pass(this.#states.length - 1)
  }

  async #open(): Promise<Stage> {
    this.#stage ??= await this.#script.open(this.hypothesis)
    return this.#stage
  }

  /** Finds the state after a request from that before it. */
  async #pass(at: number): Promise<void> {
    const base = this.#divergedAt > at ? this.#base : null
    if (base && this.#keepsStates) this.#states.push(await base.stateAt(at + 1))
    else if (this.#isRead(at)) this.#states.push(this.#states[at] as SimulatedState)
    else await this.#passWrite(at, base)
  }

  async #passWrite(at: number, base: Run | null): Promise<void> {
    const known = await this.#known(at)
    this.#played[at] = known ?? (await this.#send(at))
    const other = await base?.stateAt(at + 1)
    const state = known && other ? other : (await this.#open()).save()
    this.#states.push(state)
    if (other && state.effects !== other.effects) this.#divergedAt = at + 1
  }

  /** Whether the state after a request is that before it. */
  #isRead(at: number): boolean {
    return this.#script.isRead(at) && this.#states[at]?.isQuiet === true
  }

  /** The answer of the base, if it is that of this run. */
  async #known(at: number): Promise<Played | null> {
    const known = this.#base && this.#divergedAt > at ? await this.#base.at(at) : null
    return known && !this.#changed.some((id) => known.used.has(id)) ? known : null
  }

  /** Sends a request to the simulator, which first gets the state before it. */
  async #send(at: number): Promise<Played> {
    const stage = await this.#open()
    const state = this.#states[at] as SimulatedState
    if (this.#states[this.#stageAt] !== state) stage.restore(state)
    const played = await stage.play(at)
    this.#stageAt = this.#isRead(at) ? at : at + 1
    return played
  }
}
