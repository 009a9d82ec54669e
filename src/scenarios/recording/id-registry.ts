/** A value that may come back: what it is told apart by, and what it is called once it is saved. */
export interface ValueId {
  readonly key: string
  readonly name: string
}

/** Where a value stands in an answer. */
export interface ValueOrigin {
  /** JSON Pointer */
  readonly pointer: string
  /** What it is called once it is saved, where that is free */
  readonly name: string
  readonly type: string
}

/** Looks a value up in the answer to a step, in which it was heard. */
export type FindOrigin = (key: string, step: number) => ValueOrigin

/**
 * Which values of a recording came from which answer. One that a later request uses is saved by the step that it
 * came from; what a request brought in is nobody's.
 *
 * Answers hold far more values than requests use: of each only the step is kept, and where it stands in that is looked
 * up when it is used.
 */
export class IdRegistry {
  readonly #find: FindOrigin
  /** The step that a value was heard in first. */
  readonly #heard = new Map<string, number>()
  /** The other steps that it stands in, in their order. */
  readonly #mentions = new Map<string, number[]>()
  readonly #sent = new Map<string, number>()
  readonly #sentTimes = new Map<number, number>()
  readonly #found = new Map<string, ValueOrigin>()
  readonly #names = new Map<string, string>()
  readonly #taken = new Set(['base_url'])
  readonly #saves = new Map<number, Record<string, string>>()
  #changed = new Set<number>()

  constructor(find: FindOrigin) {
    this.#find = find
  }

  /** Whether a value was met before, in a request or in an answer. */
  isKnown(key: string): boolean {
    return this.#heard.has(key) || this.#sent.has(key)
  }

  /** A value of the answer to a step. */
  addFromResponse(key: string, step: number): void {
    const first = this.#heard.get(key)
    if (first === step || this.#sent.has(key)) return
    if (first === undefined) this.#heard.set(key, step)
    else this.#mention(key, step)
  }

  /** A value that stands within another one of an answer. */
  addMention(key: string, step: number): void {
    if (this.#heard.get(key) !== step && !this.#sent.has(key)) this.#mention(key, step)
  }

  /** A value of a request. @returns the name of it where it came from an answer: it is saved from here on */
  useInRequest(key: string, step: number, type = 'string'): string | null {
    const heardIn = this.#heard.get(key)
    if (heardIn === undefined) {
      if (!this.#sent.has(key)) this.#sent.set(key, step)
      return null
    }
    const origin = this.#found.get(key) ?? this.#find(key, heardIn)
    this.#found.set(key, origin)
    if (type !== 'string' && type !== origin.type) return null
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const name = this.#free(origin.name)
    this.#names.set(key, name)
    this.#saves.set(heardIn, { ...this.#saves.get(heardIn), [name]: origin.pointer })
    for (const changed of [heardIn, ...(this.#mentions.get(key) ?? [])]) this.#changed.add(changed)
    return name
  }

  /** What a value is called in a step; null where no step before saves it. */
  nameAt(key: string, step: number): string | null {
    const heardIn = this.#heard.get(key)
    return heardIn !== undefined && heardIn < step ? (this.#names.get(key) ?? null) : null
  }

  /** Whether a request up to a step brought a value in. */
  isSentBy(key: string, step: number): boolean {
    return (this.#sent.get(key) ?? Number.POSITIVE_INFINITY) <= step
  }

  /** Times that a request brings, in milliseconds since 1970: one of them in an answer is no moment of the recording. */
  addSentTimes(times: readonly number[], step: number): void {
    for (const time of times) if (!this.#sentTimes.has(time)) this.#sentTimes.set(time, step)
  }

  /** Whether a request up to a step brought a time in, however it was written. */
  isTimeSentBy(time: string, step: number): boolean {
    // Most requests bring none, and most answers are full of them.
    if (this.#sentTimes.size === 0) return false
    return (this.#sentTimes.get(Date.parse(time)) ?? Number.POSITIVE_INFINITY) <= step
  }

  /** What a step saves, by name. */
  savesOf(step: number): Readonly<Record<string, string>> | undefined {
    return this.#saves.get(step)
  }

  /** The steps that read otherwise now than when this was asked last. */
  takeChanged(): Set<number> {
    const changed = this.#changed
    this.#changed = new Set()
    return changed
  }

  #mention(key: string, step: number): void {
    const steps = this.#mentions.get(key)
    if (!steps) this.#mentions.set(key, [step])
    else if (steps.at(-1) !== step) steps.push(step)
  }

  #free(wanted: string): string {
    const name = wanted.replace(/\W/g, '_') || 'value'
    let free = name
    for (let count = 2; this.#taken.has(free); count++) free = `${name}_${count}`
    this.#taken.add(free)
    return free
  }
}
