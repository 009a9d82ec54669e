import { Budget } from '../journal/budget.ts'
import type { WorldSandbox } from '../sandbox.ts'
import type { Simulator } from '../simulator.ts'
import { KeyIndex } from './key-index.ts'

/** A sandbox in its surroundings. */
export interface Entry {
  readonly id: string
  readonly sandbox: WorldSandbox
  readonly simulator: Simulator
  /** Milliseconds since 1970, by the clock of the host; null for never. */
  readonly expiresAt: number | null
  /** Values that its keys began with, made or asked for: they lead here for as long as the keys are there. */
  readonly given: ReadonlySet<string>
}

/** The sandboxes beside a host, by id and by key. One whose time has come is gone when next asked for. */
export class Entries {
  /** The oldest first; some may have expired. */
  readonly byId: Map<string, Entry> = new Map()
  readonly #host: WorldSandbox
  readonly #keys = new KeyIndex<Entry>()
  /** What journals and histories of all sandboxes together keep, before each has to do with its part. */
  readonly #budget = new Budget(268_435_456)

  constructor(host: WorldSandbox) {
    this.#host = host
    host.isElsewhere = (key) => this.#keys.get(key) !== undefined
  }

  add(entry: Entry): void {
    this.byId.set(entry.id, entry)
    this.#keys.add(entry)
    entry.sandbox.journal.share(this.#budget)
    entry.sandbox.history.share(this.#budget)
    entry.sandbox.isElsewhere = (key) => {
      const other = this.#keys.get(key)
      return (
        (other !== undefined && other !== entry) || this.#host.tables.keys.get(key) !== undefined
      )
    }
  }

  get(id: string): Entry | undefined {
    return this.#alive(this.byId.get(id))
  }

  /**
   * The sandbox that a key leads to. A key of the host leads to the host, also while a world with that key
   * stands in a sandbox, unless the sandbox began with it.
   */
  ofKey(key: string): Entry | undefined {
    const entry = this.#alive(this.#keys.get(key))
    if (!entry || entry.given.has(key)) return entry
    return this.#host.tables.keys.get(key) === undefined ? entry : undefined
  }

  /** Ends one; false when there is none of that id. */
  delete(id: string): boolean {
    const entry = this.get(id)
    if (entry) this.#end(entry)
    return entry !== undefined
  }

  endExpired(): void {
    for (const entry of this.byId.values()) this.#alive(entry)
  }

  /** An entry whose time has not come. */
  #alive(entry: Entry | undefined): Entry | undefined {
    if (!entry || entry.expiresAt === null) return entry
    if (entry.expiresAt > this.#host.clock.now()) return entry
    this.#end(entry)
    return undefined
  }

  #end(entry: Entry): void {
    this.#keys.delete(entry)
    this.byId.delete(entry.id)
    entry.sandbox.journal.end()
    entry.sandbox.history.end()
    entry.sandbox.isElsewhere = () => false
  }
}
