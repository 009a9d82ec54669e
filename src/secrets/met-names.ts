import type { Mask } from './in-text.ts'

/** The name of a field. */
export interface FieldNameInfo {
  /** What hides its value */
  readonly mask: Mask | null
  /** Whether nothing is hidden in the name itself */
  readonly isPlain: boolean
}

/** How many are kept in mind: a client may make up new ones for ever. */
const maxCachedNames = 1000

/** Those that are kept in mind: neither too long, nor an alias, which is looked for each time. */
const cacheableName = /^\w{1,100}$/

/** The names of fields that were met: they come again and again, and are looked through once. */
export class FieldNameCache {
  readonly #look: (name: string) => FieldNameInfo
  readonly #learned: (() => number) | undefined
  readonly #names = new Map<string, FieldNameInfo>()
  #known: number | undefined

  /** @param learned how much is known that may stand in a name; without it they are looked through each time */
  constructor(look: (name: string) => FieldNameInfo, learned: (() => number) | undefined) {
    this.#look = look
    this.#learned = learned
  }

  /** What is known of a name. */
  get(name: string): FieldNameInfo {
    const known = this.#learned?.()
    if (known === undefined) return this.#look(name)
    if (known !== this.#known) this.#names.clear()
    this.#known = known
    const before = this.#names.get(name)
    if (before) return before
    const met = this.#look(name)
    if (!cacheableName.test(name)) return met
    if (this.#names.size === maxCachedNames) this.#names.clear()
    this.#names.set(name, met)
    return met
  }
}
