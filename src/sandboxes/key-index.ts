import type { WorldSandbox } from '../sandbox.ts'

/** What has keys: a sandbox in its surroundings. */
interface Keyed {
  readonly sandbox: WorldSandbox
}

/** Which sandbox a key leads to. Of two with the same key, the one that had it first. */
export class KeyIndex<E extends Keyed> {
  readonly #entries = new Map<string, E>()
  readonly #keys = new Map<E, Set<string>>()

  get(key: string): E | undefined {
    return this.#entries.get(key)
  }

  /** Follows the keys of a sandbox from here on. */
  add(entry: E): void {
    const { sandbox } = entry
    sandbox.onWrite = (list, before, after) => {
      if (list !== 'keys') return
      if (before) this.#remove((before as { value: string }).value, entry)
      if (after) this.#set((after as { value: string }).value, entry)
    }
    sandbox.onReplaced = () => {
      this.#clear(entry)
      for (const { value } of sandbox.tables.keys.values()) this.#set(value, entry)
    }
    sandbox.onReplaced()
  }

  /** Forgets a sandbox. */
  delete(entry: E): void {
    this.#clear(entry)
    this.#keys.delete(entry)
    entry.sandbox.onWrite = null
    entry.sandbox.onReplaced = () => {}
  }

  #set(key: string, entry: E): void {
    if (this.#entries.has(key)) return
    this.#entries.set(key, entry)
    this.#keys.get(entry)?.add(key)
  }

  #remove(key: string, entry: E): void {
    if (this.#keys.get(entry)?.delete(key)) this.#entries.delete(key)
  }

  #clear(entry: E): void {
    for (const key of this.#keys.get(entry) ?? []) this.#entries.delete(key)
    this.#keys.set(entry, new Set())
  }
}
