import type { Sandbox } from '../sandbox.ts'

/** What has keys: a sandbox in its surroundings. */
interface Keyed {
  readonly sandbox: Sandbox
}

/** Which sandbox a key leads to. Of two with the same key, the one that has had it longer. */
export class KeyIndex<E extends Keyed> {
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
    const unwatch = sandbox.watchers.add({
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
