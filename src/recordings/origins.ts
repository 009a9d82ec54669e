/** A value that may come back: what it is told apart by, and what it is called once it is saved. */
export interface Track {
  readonly key: string
  readonly name: string
}

interface Origin {
  readonly step: number
  readonly pointer: string
  readonly name: string
  readonly type: string
}

/**
 * Which values of a recording came from which answer. One that a later request uses is saved by the step that it
 * came from; what a request brought in is nobody's.
 */
export class Origins {
  readonly #origins = new Map<string, Origin>()
  readonly #names = new Map<string, string>()
  readonly #taken = new Set(['base_url'])
  readonly #sent = new Map<string, number>()
  /** The steps in which a value stands; most stand in one only. */
  readonly #mentions = new Map<string, number | Set<number>>()
  readonly #saves = new Map<number, Record<string, string>>()
  #changed = new Set<number>()

  /** Whether a value was met before, in a request or in an answer. */
  isKnown(key: string): boolean {
    return this.#origins.has(key) || this.#sent.has(key)
  }

  /** A value of the answer to a step. */
  heard({ key, name }: Track, step: number, pointer: string, value: unknown): void {
    this.mentioned(key, step)
    if (this.isKnown(key)) return
    this.#origins.set(key, { step, pointer, name, type: typeof value })
  }

  /** A value that stands within another one of an answer. */
  mentioned(key: string, step: number): void {
    const steps = this.#mentions.get(key)
    if (steps === undefined) this.#mentions.set(key, step)
    else if (typeof steps !== 'number') steps.add(step)
    else if (steps !== step) this.#mentions.set(key, new Set([steps, step]))
  }

  /** A value of a request. @returns the name of it where it came from an answer: it is saved from here on */
  used(key: string, step: number, type = 'string'): string | null {
    const origin = this.#origins.get(key)
    if (!origin) {
      if (!this.#sent.has(key)) this.#sent.set(key, step)
      return null
    }
    if (type !== 'string' && type !== origin.type) return null
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const name = this.#free(origin.name)
    this.#names.set(key, name)
    this.#saves.set(origin.step, { ...this.#saves.get(origin.step), [name]: origin.pointer })
    const mentions = this.#mentions.get(key) ?? []
    for (const mention of typeof mentions === 'number' ? [mentions] : mentions) {
      this.#changed.add(mention)
    }
    return name
  }

  /** What a value is called in a step; null where no step before saves it. */
  nameAt(key: string, step: number): string | null {
    const origin = this.#origins.get(key)
    return origin && origin.step < step ? (this.#names.get(key) ?? null) : null
  }

  /** Whether a request up to a step brought a value in. */
  isSentBy(key: string, step: number): boolean {
    return (this.#sent.get(key) ?? Number.POSITIVE_INFINITY) <= step
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

  #free(wanted: string): string {
    const name = wanted.replace(/\W/g, '_') || 'value'
    let free = name
    for (let count = 2; this.#taken.has(free); count++) free = `${name}_${count}`
    this.#taken.add(free)
    return free
  }
}
