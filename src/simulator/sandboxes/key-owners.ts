import type { KeyRow } from '../../world/rows.ts'
import type { Tables } from '../../world/tables.ts'

/** A world whose keys select it. */
interface KeyOwner {
  readonly tables: Pick<Tables, 'keys'>
}

type Keys = Tables['keys']

/** How many keys of sandboxes that ended are remembered: the latest ones. */
const maxEnded = 1_000

/** Which world each key selects: that of a simulator, its host, or one of the sandboxes in it. */
export class KeyOwners<W extends KeyOwner> {
  readonly #host: W
  /** The first keys of each sandbox, which select it even if the host has the same key. */
  readonly #firstKeys = new Map<W, readonly string[]>()
  /** The sandboxes with each key, the one that has had it longest first. */
  readonly #sandboxes = new Map<string, readonly W[]>()

  /** The keys of sandboxes that ended, the latest last. */
  readonly #ended = new Set<string>()

  constructor(host: W) {
    this.#host = host
  }

  /** The sandbox that a key selects. Undefined for a key of the host, and for an unknown one. */
  sandboxOf(key: string): W | undefined {
    const sandbox = this.#sandboxes.get(key)?.[0]
    const isOfHost = sandbox && this.#host.tables.keys.get(key) !== undefined
    return isOfHost && !this.#firstKeys.get(sandbox)?.includes(key) ? undefined : sandbox
  }

  /** Whether a key selects another world. */
  isTaken(key: string, world: W): boolean {
    const selected = this.sandboxOf(key)
    if (world === this.#host) return selected !== undefined
    return selected ? selected !== world : this.#host.tables.keys.get(key) !== undefined
  }

  /** Adds a sandbox with its keys. From then on, changes of its keys count. */
  add(sandbox: W): void {
    const values = [...sandbox.tables.keys.values()].map(({ value }) => value)
    this.#firstKeys.set(sandbox, values)
    this.#give(values, sandbox)
  }

  /** Removes a sandbox. */
  delete(sandbox: W): void {
    if (!this.#firstKeys.delete(sandbox)) return
    for (const { value } of sandbox.tables.keys.values()) {
      this.#take(value, sandbox)
      // Deleted first, so that the key becomes the latest one.
      this.#ended.delete(value)
      this.#ended.add(value)
    }
    for (const oldest of this.#ended) {
      if (this.#ended.size <= maxEnded) break
      this.#ended.delete(oldest)
    }
  }

  /** Whether a sandbox that ended had a key. */
  hadEnded(key: string): boolean {
    return this.#ended.has(key)
  }

  /** A key of a world was issued, changed or revoked. */
  write(world: W, before: KeyRow | undefined, after: KeyRow | undefined): void {
    if (!this.#firstKeys.has(world)) return
    if (after) this.#give([after.value], world)
    else if (before) this.#take(before.value, world)
  }

  /** The keys of a world were replaced. One that it still has keeps its rank. */
  replace(world: W, former: Keys, current: Keys): void {
    if (!this.#firstKeys.has(world)) return
    for (const { value } of former.values()) {
      if (!current.get(value)) this.#take(value, world)
    }
    this.#give(
      [...current.values()].map(({ value }) => value),
      world,
    )
  }

  #give(keys: readonly string[], sandbox: W): void {
    // Most keys select one sandbox, whose keys share the list.
    const alone = [sandbox]
    for (const key of keys) {
      this.#ended.delete(key)
      const others = this.#sandboxes.get(key)
      if (!others) this.#sandboxes.set(key, alone)
      else if (!others.includes(sandbox)) this.#sandboxes.set(key, [...others, sandbox])
    }
  }

  #take(key: string, sandbox: W): void {
    const others = this.#sandboxes.get(key)?.filter((state) => state !== sandbox) ?? []
    if (others.length > 0) this.#sandboxes.set(key, others)
    else this.#sandboxes.delete(key)
  }
}
