import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { wait } from '../../../utils/wait.ts'

export class Store {
  readonly #listeners = new Set<() => void>()

  /** @returns a function that removes the listener */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  protected notify(): void {
    for (const listener of [...this.#listeners]) listener()
  }
}

/** Renders the component again whenever the store changes. */
export function useStore<S extends Store>(store: S): S {
  const [, rerender] = useState({})
  useLayoutEffect(() => store.subscribe(() => rerender({})), [store])
  return store
}

/** Milliseconds until a success disappears. Errors stay. */
const successDuration = 8_000

/** The latest notification. It disappears when the user dismisses it or navigates, or when another one follows. */
export class Notifications extends Store {
  current: { readonly tone: 'good' | 'bad'; readonly text: string } | null = null

  async showSuccess(text: string): Promise<void> {
    const notification = { tone: 'good', text } as const
    this.#set(notification)
    await wait(successDuration)
    if (this.current === notification) this.dismiss()
  }

  showError(error: unknown): void {
    this.#set({ tone: 'bad', text: error instanceof Error ? error.message : String(error) })
  }

  dismiss(): void {
    this.#set(null)
  }

  #set(notification: Notifications['current']): void {
    this.current = notification
    this.notify()
  }
}

export interface LoadState<T> {
  /** The latest value. It stays while a newer one is loading. */
  readonly value: T | undefined
  readonly error: Error | null
  /** True until the first load has ended. */
  readonly isLoading: boolean
  readonly reload: () => void
}

/** Loads a value, and loads it again whenever one of the inputs changes. Outdated responses are ignored. */
export function useLoad<T>(load: () => Promise<T>, inputs: readonly unknown[]): LoadState<T> {
  const [state, setState] = useState<Omit<LoadState<T>, 'reload'>>({
    value: undefined,
    error: null,
    isLoading: true,
  })
  const latest = useRef(0)
  const reload = useCallback(() => {
    latest.current += 1
    const current = latest.current
    load().then(
      (value) => current === latest.current && setState({ value, error: null, isLoading: false }),
      (error) =>
        current === latest.current && setState(({ value }) => ({ value, error, isLoading: false })),
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
