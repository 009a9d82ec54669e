import { MemoryBudget } from '../../utils/bounded-queue.ts'
import type { Sandbox } from '../sandbox.ts'
import { addOwnKeys } from './sandbox-keys.ts'

/** A sandbox in its surroundings. */
export interface SandboxEntry<T> {
  readonly id: string
  readonly sandbox: Sandbox
  readonly simulator: T
  /** Milliseconds since 1970, by the clock of the host; null for never. */
  readonly expiresAt: number | null
  /** Values that its keys began with, made or asked for: they lead here for as long as the keys are there. */
  readonly initialKeys: ReadonlySet<string>
}

/** The sandboxes beside a host, by id and by key. Those whose time has come are gone when anything is next asked. */
export class SandboxRegistry<T> {
  /** The oldest first; some may have expired. */
  readonly byId: Map<string, SandboxEntry<T>> = new Map()
  /** No time of any comes before this one: until then nobody has to look. */
  #soonest = Number.POSITIVE_INFINITY
  readonly #host: Sandbox
  readonly #keys = new KeyIndex<SandboxEntry<T>>()
  /** What journals and histories of all sandboxes together keep, before each has to do with its part. */
  readonly #budget = new MemoryBudget(268_435_456)

  constructor(host: Sandbox) {
    this.#host = host
    host.isTakenElsewhere = (key) => this.#keys.get(key) !== undefined
  }

  add(entry: SandboxEntry<T>): void {
    this.byId.set(entry.id, entry)
    this.#soonest = Math.min(this.#soonest, entry.expiresAt ?? this.#soonest)
    this.#keys.add(entry)
    entry.sandbox.journal.share(this.#budget)
    entry.sandbox.history.share(this.#budget)
    entry.sandbox.edits.share(this.#budget)
    entry.sandbox.addOwnKeys = (tables) => addOwnKeys(tables, entry.sandbox)
    entry.sandbox.isTakenElsewhere = (key) => {
      const leadsTo = this.byKey(key)
      return leadsTo ? leadsTo !== entry : this.#host.tables.keys.get(key) !== undefined
    }
  }

  get(id: string): SandboxEntry<T> | undefined {
    this.endExpired()
    return this.byId.get(id)
  }

  /**
   * The sandbox that a key leads to. A key of the host leads to the host, also while a world with that key
   * stands in a sandbox, unless the sandbox began with it.
   */
  byKey(key: string): SandboxEntry<T> | undefined {
    this.endExpired()
    const entry = this.#keys.get(key)
    if (!entry || entry.initialKeys.has(key)) return entry
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

  #end(entry: SandboxEntry<T>): void {
    this.#keys.delete(entry)
    this.byId.delete(entry.id)
    entry.sandbox.journal.close()
    entry.sandbox.history.close()
    entry.sandbox.edits.close()
    entry.sandbox.isTakenElsewhere = () => false
    entry.sandbox.addOwnKeys = () => {}
  }
}

/** What has keys: a sandbox in its surroundings. */
interface Keyed {
  readonly sandbox: Sandbox
}

/** Which sandbox a key leads to. Of two with the same key, the one that has had it longer. */
class KeyIndex<E extends Keyed> {
  readonly #first = new Map<string, E>()
  /** Those who have a key after its first holder, the oldest first; hardly any key has some. */
  readonly #later = new Map<string, readonly E[]>()
  readonly #keys = new Map<E, Set<string>>()
  readonly #unwatch = new Map<E, () => void>()

  get(key: string): E | undefined {
    return this.#first.get(key)
  }

  /** Follows the keys of a sandbox from here on. */
  add(entry: E): void {
    const { sandbox } = entry
    this.#keys.set(entry, new Set())
    // A key that is in the new rows as well keeps its place before others.
    const replaced = (): void => this.#have(entry, sandbox.tables.keys.values())
    const unwatch = sandbox.observers.add({
      rowsReplaced: replaced,
      rowWritten: (list, before, after) => {
        if (list !== 'keys') return
        if (before) this.#remove((before as { value: string }).value, entry)
        if (after) this.#set((after as { value: string }).value, entry)
      },
    })
    this.#unwatch.set(entry, unwatch)
    replaced()
  }

  /** Forgets a sandbox. */
  delete(entry: E): void {
    this.#have(entry, [])
    this.#keys.delete(entry)
    this.#unwatch.get(entry)?.()
    this.#unwatch.delete(entry)
  }

  #have(entry: E, rows: Iterable<{ readonly value: string }>): void {
    const values = new Set([...rows].map(({ value }) => value))
    for (const key of [...(this.#keys.get(entry) ?? [])]) {
      if (!values.has(key)) this.#remove(key, entry)
    }
    for (const key of values) this.#set(key, entry)
  }

  #set(key: string, entry: E): void {
    const keys = this.#keys.get(entry)
    if (!keys || keys.has(key)) return
    keys.add(key)
    if (this.#first.has(key)) this.#later.set(key, [...(this.#later.get(key) ?? []), entry])
    else this.#first.set(key, entry)
  }

  #remove(key: string, entry: E): void {
    if (!this.#keys.get(entry)?.delete(key)) return
    const isFirst = this.#first.get(key) === entry
    const others = (this.#later.get(key) ?? []).filter((other) => other !== entry)
    if (isFirst) {
      const next = others.shift()
      if (next) this.#first.set(key, next)
      else this.#first.delete(key)
    }
    if (others.length > 0) this.#later.set(key, others)
    else this.#later.delete(key)
  }
}
