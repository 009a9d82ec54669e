import type { WorldSandbox } from '../sandbox.ts'

/** What has keys: a sandbox in its surroundings. */
interface Keyed {
  readonly sandbox: WorldSandbox
}

/** Which sandbox a key leads to. Of two with the same key, the one that had it first. */
export class KeyIndex<E extends Keyed> {
  readonly #entries = new Map<string, E>()
  readonly #keys = new Map<E, Set<string>>()
  readonly #unwatch = new Map<E, () => void>()

  get(key: string): E | undefined {
    return this.#entries.get(key)
  }

  /** Follows the keys of a sandbox from here on. */
  add(entry: E): void {
    const { sandbox } = entry
    const replaced = (): void => {
      this.#clear(entry)
      for (const { value } of sandbox.tables.keys.values()) this.#set(value, entry)
    }
    const unwatch = sandbox.watchers.add({
      replaced,
      written: (list, before, after) => {
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
    this.#clear(entry)
    this.#keys.delete(entry)
    this.#unwatch.get(entry)?.()
    this.#unwatch.delete(entry)
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
