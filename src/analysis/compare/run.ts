import { overrideSettings, resolveSettings } from '../../settings/resolve.ts'
import type { SettingValues } from '../../settings/setting.ts'

/** The settings of a simulator, and which of the possible worlds it has. */
export type Hypothesis = Readonly<Record<string, string | number>>

/** What a simulator does with one request. */
export interface Played<Answer> {
  readonly answer: Answer
  /** The ids of the settings that the answer depends on */
  readonly used: ReadonlySet<string>
}

/** Requests that simulators can answer, one after another. */
export interface Script<Answer, State> {
  readonly length: number
  /** Opens a simulator before the first request. */
  open(hypothesis: Hypothesis): Promise<Stage<Answer, State>>
  /** Whether a request changes nothing, whatever the settings are */
  isRead(at: number): boolean
  /** Whether the state after a request is the same in two simulators that had the same state before it */
  isSameState(one: State, other: State): boolean
}

/** A simulator between two requests. */
export interface Stage<Answer, State> {
  /** Sends the request with an index. */
  play(at: number): Promise<Played<Answer>>
  /** The state before the next request. Null if it cannot be restored */
  save(): State | null
  restore(state: State): void
}

/**
 * The answers of a simulator to all requests of a script, as far as they were asked for. A run that differs from another
 * one in some settings sends only the requests that used one of them, and, once the state differs, those after them.
 * Before the answer to a request, it sends only the writes.
 */
export class Run<Answer, State> {
  readonly hypothesis: Hypothesis
  readonly #script: Script<Answer, State>
  readonly #base: Run<Answer, State> | null
  readonly #changed: readonly string[]
  readonly #played: (Played<Answer> | undefined)[] = []
  /** The state before each request, up to the next one that may change it. Null if it cannot be restored */
  readonly #states: (State | null)[] = []
  /** The first request before which the state is another one than in the base. */
  #divergedAt: number
  #keepsStates = false
  #stage: Stage<Answer, State> | null = null
  /** The request whose state the simulator has. */
  #stageAt = 0

  private constructor(
    script: Script<Answer, State>,
    hypothesis: Hypothesis,
    base: Run<Answer, State> | null,
    changed: readonly string[],
  ) {
    this.#script = script
    this.hypothesis = hypothesis
    this.#base = base
    this.#changed = changed
    this.#divergedAt = base === null ? 0 : Number.POSITIVE_INFINITY
  }

  static start<Answer, State>(
    script: Script<Answer, State>,
    hypothesis: Hypothesis,
  ): Run<Answer, State> {
    return new Run<Answer, State>(script, hypothesis, null, [])
  }

  /** The run with other settings. @param changes settings only: another world starts anew */
  with(changes: Hypothesis): Run<Answer, State> {
    const changed = Object.keys(changes).filter((id) => changes[id] !== this.hypothesis[id])
    return new Run(this.#script, { ...this.hypothesis, ...changes }, this, changed)
  }

  /** The run with other settings, as if these changed no state: it sends only the requests that are asked for. */
  peek(changes: Hypothesis): Run<Answer, State> {
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

  async at(index: number): Promise<Played<Answer>> {
    const played = this.#played[index]
    if (played) return played
    await this.#reach(index)
    if (!this.#isRead(index) && !this.#keepsStates) await this.#reach(index + 1)
    this.#played[index] ??= (await this.#known(index)) ?? (await this.#send(index))
    return this.#played[index]
  }

  /** Finds the state before a request. */
  async #reach(index: number): Promise<void> {
    if (this.#states.length === 0) this.#states.push(await this.#start())
    while (this.#states.length <= index) await this.#pass(this.#states.length - 1)
  }

  async #start(): Promise<State | null> {
    const base = this.#base
    return base ? base.stateAt(0) : (await this.#open()).save()
  }

  /** The state before a request. Null if it cannot be restored */
  async stateAt(index: number): Promise<State | null> {
    await this.#reach(index)
    return this.#states[index] ?? null
  }

  async #open(): Promise<Stage<Answer, State>> {
    this.#stage ??= await this.#script.open(this.hypothesis)
    return this.#stage
  }

  /** Finds the state after a request from that before it. */
  async #pass(at: number): Promise<void> {
    const before = this.#states[at] ?? null
    if (this.#keepsStates) this.#states.push((await this.#base?.stateAt(at + 1)) ?? null)
    else if (this.#isRead(at)) this.#states.push(before)
    else await this.#passWrite(at)
  }

  async #passWrite(at: number): Promise<void> {
    const known = await this.#known(at)
    this.#played[at] = known ?? (await this.#send(at))
    const base = this.#divergedAt > at ? this.#base : null
    const other = base ? await base.stateAt(at + 1) : null
    const state = known ? other : (await this.#open()).save()
    this.#states.push(state)
    if (!base || known) return
    if (!(state && other && this.#script.isSameState(state, other))) this.#divergedAt = at + 1
  }

  /** Whether the state after a request is that before it. Without a state, a simulator has to send each request. */
  #isRead(at: number): boolean {
    return this.#script.isRead(at) && this.#states[at] !== null
  }

  /** The answer of the base, if it is that of this run. */
  async #known(at: number): Promise<Played<Answer> | null> {
    const known = this.#base && this.#divergedAt > at ? await this.#base.at(at) : null
    return known && !this.#changed.some((id) => known.used.has(id)) ? known : null
  }

  async #send(at: number): Promise<Played<Answer>> {
    const stage = await this.#openAt(at)
    const played = await stage.play(at)
    this.#stageAt = this.#isRead(at) ? at : at + 1
    return played
  }

  /** The simulator with the state before a request. Without that state, it repeats the requests since the last known one. */
  async #openAt(at: number): Promise<Stage<Answer, State>> {
    const stage = await this.#open()
    const wanted = this.#states[at] ?? null
    if (this.#stageAt === at) return stage
    if (wanted && this.#states[this.#stageAt] === wanted) return stage
    let from = at
    while (from > 0 && this.#states[from] === null) from -= 1
    const state = this.#states[from]
    if (state) stage.restore(state)
    else this.#stage = await this.#script.open(this.hypothesis)
    for (let index = from; index < at; index += 1) await (await this.#open()).play(index)
    return this.#open()
  }
}

/** The settings of a hypothesis, without its world. @throws UsageError for an unknown value or value */
export function settingsOf(hypothesis: Hypothesis): SettingValues {
  const settings = Object.entries(hypothesis).filter(([id]) => !id.startsWith('world.'))
  return overrideSettings(resolveSettings(), Object.fromEntries(settings))
}
