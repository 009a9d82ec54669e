import { MemoryBudget } from '../journal/budget.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Simulator } from '../simulator.ts'
import { KeyIndex } from './key-index.ts'
import { addOwnKeys } from './own-keys.ts'

/** A sandbox in its surroundings. */
export interface SandboxEntry {
  readonly id: string
  readonly sandbox: Sandbox
  readonly simulator: Simulator
  /** Milliseconds since 1970, by the clock of the host; null for never. */
  readonly expiresAt: number | null
  /** Values that its keys began with, made or asked for: they lead here for as long as the keys are there. */
  readonly given: ReadonlySet<string>
}

/** The sandboxes beside a host, by id and by key. Those whose time has come are gone when anything is next asked. */
export class SandboxRegistry {
  /** The oldest first; some may have expired. */
  readonly byId: Map<string, SandboxEntry> = new Map()
  /** No time of any comes before this one: until then nobody has to look. */
  #soonest = Number.POSITIVE_INFINITY
  readonly #host: Sandbox
  readonly #keys = new KeyIndex<SandboxEntry>()
  /** What journals and histories of all sandboxes together keep, before each has to do with its part. */
  readonly #budget = new MemoryBudget(268_435_456)

  constructor(host: Sandbox) {
    this.#host = host
    host.isTakenElsewhere = (key) => this.#keys.get(key) !== undefined
  }

  add(entry: SandboxEntry): void {
    this.byId.set(entry.id, entry)
    this.#soonest = Math.min(this.#soonest, entry.expiresAt ?? this.#soonest)
    this.#keys.add(entry)
    entry.sandbox.journal.share(this.#budget)
    entry.sandbox.history.share(this.#budget)
    entry.sandbox.edits.share(this.#budget)
    entry.sandbox.keepOwnKeys = (tables) => addOwnKeys(tables, entry.sandbox)
    entry.sandbox.isTakenElsewhere = (key) => {
      const leadsTo = this.byKey(key)
      return leadsTo ? leadsTo !== entry : this.#host.tables.keys.get(key) !== undefined
    }
  }

  get(id: string): SandboxEntry | undefined {
    this.endExpired()
    return this.byId.get(id)
  }

  /**
   * The sandbox that a key leads to. A key of the host leads to the host, also while a world with that key
   * stands in a sandbox, unless the sandbox began with it.
   */
  byKey(key: string): SandboxEntry | undefined {
    this.endExpired()
    const entry = this.#keys.get(key)
    if (!entry || entry.given.has(key)) return entry
    return this.#host.tables.keys.get(key) === undefined ? entry : undefined
  }

  /** Ends one; false when there is none of that id. */
  delete(id: string): boolean {
    const entry = this.get(id)
    if (entry) this.#end(entry)
    return entry !== undefined
  }

  /** Ends those whose time has come, and those who follow them are told. Costs next to nothing before the first. */
  endExpired(): void {
    if (this.#soonest === Number.POSITIVE_INFINITY) return
    const now = this.#host.clock.now()
    if (this.#soonest > now) return
    this.#soonest = Number.POSITIVE_INFINITY
    for (const entry of [...this.byId.values()]) {
      if (entry.expiresAt === null) continue
      if (entry.expiresAt <= now) this.#end(entry)
      else this.#soonest = Math.min(this.#soonest, entry.expiresAt)
    }
  }

  #end(entry: SandboxEntry): void {
    this.#keys.delete(entry)
    this.byId.delete(entry.id)
    entry.sandbox.journal.close()
    entry.sandbox.history.close()
    entry.sandbox.edits.close()
    entry.sandbox.isTakenElsewhere = () => false
    entry.sandbox.keepOwnKeys = () => {}
  }
}
