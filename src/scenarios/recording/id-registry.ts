/** A value that a later request may use. */
export interface ValueId {
  /** Equal for equal values of the same kind, such as `annotation 12` */
  readonly key: string
  /** The preferred name of the saved value, such as `annotation_id` */
  readonly name: string
}

export interface ValueOrigin {
  readonly pointer: string
  readonly name: string
  /** As `typeof` says */
  readonly type: string
}

/**
 * Tracks which response each value of a recording comes from. If a later request uses the value, the step of that
 * response saves it. Values that a request introduces are never saved.
 *
 * Responses contain far more values than requests use. To save memory, the registry stores only the step of each
 * value. The position within the response is looked up when a request uses the value.
 */
export class IdRegistry {
  readonly #findOrigin: (key: string, step: number) => ValueOrigin
  /** The first step whose response contains the value. */
  readonly #firstSteps = new Map<string, number>()
  /** Later steps that contain the value, in order. */
  readonly #mentions = new Map<string, number[]>()
  /** The first step whose request contains the value. */
  readonly #sent = new Map<string, number>()
  readonly #sentTimes = new Map<number, number>()
  readonly #origins = new Map<string, ValueOrigin>()
  readonly #names = new Map<string, string>()
  readonly #usedNames = new Set(['base_url'])
  readonly #saves = new Map<number, Record<string, string>>()
  #changedSteps = new Set<number>()

  /** @param findOrigin looks up a value in the response of the step that first contained it */
  constructor(findOrigin: (key: string, step: number) => ValueOrigin) {
    this.#findOrigin = findOrigin
  }

  isKnown(key: string): boolean {
    return this.#firstSteps.has(key) || this.#sent.has(key)
  }

  addFromResponse(key: string, step: number): void {
    if (this.#firstSteps.has(key)) this.addMention(key, step)
    else if (!this.#sent.has(key)) this.#firstSteps.set(key, step)
  }

  /** Adds a value that occurs within another value of a response, such as an id in a link. */
  addMention(key: string, step: number): void {
    if (this.#firstSteps.get(key) === step || this.#sent.has(key)) return
    const steps = this.#mentions.get(key)
    if (!steps) this.#mentions.set(key, [step])
    else if (steps.at(-1) !== step) steps.push(step)
  }

  /** Returns the name under which the response of an earlier step is saved. Null if the request introduces the value. */
  useInRequest(key: string, step: number, type = 'string'): string | null {
    const firstStep = this.#firstSteps.get(key)
    if (firstStep === undefined) {
      if (!this.#sent.has(key)) this.#sent.set(key, step)
      return null
    }
    const origin = this.#origins.get(key) ?? this.#findOrigin(key, firstStep)
    this.#origins.set(key, origin)
    if (type !== 'string' && type !== origin.type) return null
    const existing = this.#names.get(key)
    if (existing !== undefined) return existing
    const name = this.#reserveName(origin.name)
    this.#names.set(key, name)
    this.#saves.set(firstStep, { ...this.#saves.get(firstStep), [name]: origin.pointer })
    for (const changed of [firstStep, ...(this.#mentions.get(key) ?? [])]) {
      this.#changedSteps.add(changed)
    }
    return name
  }

  /** The name of a value in a step, or null if no earlier step saves it. */
  nameAt(key: string, step: number): string | null {
    const firstStep = this.#firstSteps.get(key) ?? Number.POSITIVE_INFINITY
    return firstStep < step ? (this.#names.get(key) ?? null) : null
  }

  /** Whether the request of this step or of an earlier one introduced the value. */
  isSentBy(key: string, step: number): boolean {
    return (this.#sent.get(key) ?? Number.POSITIVE_INFINITY) <= step
  }

  /** Adds the times of a request, in milliseconds since 1970. */
  addSentTimes(times: readonly number[], step: number): void {
    for (const time of times) if (!this.#sentTimes.has(time)) this.#sentTimes.set(time, step)
  }

  /** Whether the request of this step or of an earlier one contained the time, in any notation. */
  isTimeSentBy(time: string, step: number): boolean {
    // Most requests contain no times, and most responses contain many.
    if (this.#sentTimes.size === 0) return false
    return (this.#sentTimes.get(Date.parse(time)) ?? Number.POSITIVE_INFINITY) <= step
  }

  /** The values that a step saves: JSON Pointers by name. */
  savesOf(step: number): Readonly<Record<string, string>> | undefined {
    return this.#saves.get(step)
  }

  /** The steps that changed since the last call. */
  takeChanged(): Set<number> {
    const changed = this.#changedSteps
    this.#changedSteps = new Set()
    return changed
  }

  #reserveName(preferred: string): string {
    const base = preferred.replace(/\W/g, '_')
    let name = base
    for (let count = 2; this.#usedNames.has(name); count++) name = `${base}_${count}`
    this.#usedNames.add(name)
    return name
  }
}
