import { useLayoutEffect, useState } from 'preact/hooks'

/** Something that changes, and tells those who watch. */
export class Store {
  readonly #watchers = new Set<() => void>()

  /** @returns ends the watching */
  subscribe(watcher: () => void): () => void {
    this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }

  protected notify(): void {
    for (const watcher of [...this.#watchers]) watcher()
  }
}

/** Draws a component anew whenever a store changes. */
export function useStore<S extends Store>(store: S): S {
  const [, redraw] = useState({})
  useLayoutEffect(() => store.subscribe(() => redraw({})), [store])
  return store
}
