import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

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

/** What a component has of something that is asked for. */
export interface LoadState<T> {
  /** The latest that came; it stays while something newer is asked for. */
  readonly value: T | undefined
  readonly error: Error | null
  readonly reload: () => void
}

/**
 * Asks for something whenever one of the inputs has changed. Answers that are overtaken are dropped.
 *
 * @example const { value, error } = useLoad(() => remote.snapshots.list(), [remote])
 */
export function useLoad<T>(load: () => Promise<T>, inputs: readonly unknown[]): LoadState<T> {
  const [state, setState] = useState<Pick<LoadState<T>, 'value' | 'error'>>({
    value: undefined,
    error: null,
  })
  const latest = useRef(0)
  const reload = useCallback(() => {
    latest.current += 1
    const mine = latest.current
    load().then(
      (value) => mine === latest.current && setState({ value, error: null }),
      (error) => mine === latest.current && setState((before) => ({ ...before, error })),
    )
  }, inputs)
  useEffect(() => {
    reload()
    return () => {
      latest.current += 1
    }
  }, [reload])
  return { ...state, reload }
}
