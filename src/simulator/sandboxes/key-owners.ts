import { LatestMap } from '../../utils/latest-map.ts'
import type { KeyRow } from '../../world/rows.ts'
import type { Tables } from '../../world/tables.ts'

interface KeyOwner {
  readonly tables: Pick<Tables, 'keys'>
}

type KeyTable = Tables['keys']

/** Which sandbox each key selects: the first one that has it. All other keys are those of the host. */
export class KeyOwners<W extends KeyOwner> {
  readonly #host: W
  /** Further secrets that every world masks, such as the token of a server */
  readonly secrets: Set<string> = new Set()
  readonly #sandboxes = new Map<string, W>()
  /** The latest keys of sandboxes that ended. */
  readonly #ended = new LatestMap<string, true>()

  constructor(host: W) {
    this.#host = host
  }

  /** The sandbox that a key selects. Undefined for a key of the host, and for an unknown one. */
  sandboxOf(key: string): W | undefined {
    return this.#sandboxes.get(key)
  }

  isTaken(key: string, world: W): boolean {
    const sandbox = this.#sandboxes.get(key)
    if (sandbox) return sandbox !== world
    return world !== this.#host && this.#host.tables.keys.get(key) !== undefined
  }

  delete(sandbox: W): void {
    for (const { value } of sandbox.tables.keys.values()) {
      this.#take(value, sandbox)
      this.#ended.set(value, true)
    }
  }

  hadEnded(key: string): boolean {
    return this.#ended.has(key)
  }

  /** A key of a world was issued, changed or revoked. */
  write(world: W, before: KeyRow | undefined, after: KeyRow | undefined): void {
    if (after) this.#give(after.value, world)
    else if (before) this.#take(before.value, world)
  }

  /** The keys of a world were replaced. */
  replace(world: W, former: KeyTable, current: KeyTable): void {
    for (const { value } of former.values()) if (!current.get(value)) this.#take(value, world)
    for (const { value } of current.values()) this.#give(value, world)
  }

  #give(key: string, world: W): void {
    if (world === this.#host || this.isTaken(key, world)) return
    this.#sandboxes.set(key, world)
    this.#ended.delete(key)
  }

  #take(key: string, world: W): void {
    if (this.#sandboxes.get(key) === world) this.#sandboxes.delete(key)
  }
}
