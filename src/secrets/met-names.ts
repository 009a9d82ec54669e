import type { Mask } from './in-text.ts'

/** The name of a field. */
export interface MetName {
  /** What hides its value */
  readonly mask: Mask | null
  /** Whether nothing is hidden in the name itself */
  readonly isPlain: boolean
}

/** How many are kept in mind: a client may make up new ones for ever. */
const most = 1000

/** Those that are kept in mind: neither too long, nor an alias, which is looked for each time. */
const common = /^\w{1,100}$/

/** The names of fields that were met: they come again and again, and are looked through once. */
export class MetNames {
  readonly #look: (name: string) => MetName
  readonly #learned: (() => number) | undefined
  readonly #names = new Map<string, MetName>()
  #known: number | undefined

  /** @param learned how much is known that may stand in a name; without it they are looked through each time */
  constructor(look: (name: string) => MetName, learned: (() => number) | undefined) {
    this.#look = look
    this.#learned = learned
  }

  /** What is known of a name. */
  of(name: string): MetName {
    const known = this.#learned?.()
    if (known === undefined) return this.#look(name)
    if (known !== this.#known) this.#names.clear()
    this.#known = known
    const before = this.#names.get(name)
    if (before) return before
    const met = this.#look(name)
    if (!common.test(name)) return met
    if (this.#names.size === most) this.#names.clear()
    this.#names.set(name, met)
    return met
  }
}
