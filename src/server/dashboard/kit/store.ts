import { useCallback, useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { abortOf } from '../../../utils/abort.ts'
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

/** A value that is loaded from the server. It stays while a newer one is loading. Outdated responses are ignored. */
export class Loaded<T> extends Store {
  value: T | undefined
  error: Error | null = null
  #latest = 0

  /** Never throws. */
  async load(request: () => Promise<T>): Promise<void> {
    this.#latest += 1
    const current = this.#latest
    const change = await request().then(
      (value) => ({ value, error: null }),
      (error: Error) => ({ error }),
    )
    if (current !== this.#latest) return
    Object.assign(this, change)
    this.notify()
  }

  /** Ignores the responses that are on their way. */
  readonly cancel = (): void => {
    this.#latest += 1
  }
}

export interface LoadState<T> {
  readonly value: T | undefined
  readonly error: Error | null
  readonly reload: () => void
}

/** Loads a value, and loads it again whenever one of the inputs changes. */
export function useLoad<T>(request: () => Promise<T>, inputs: readonly unknown[]): LoadState<T> {
  const [loaded] = useState(() => new Loaded<T>())
  const { value, error } = useStore(loaded)
  const reload = useCallback(() => void loaded.load(request), inputs)
  useEffect(() => {
    reload()
    return loaded.cancel
  }, [reload])
  return { value, error, reload }
}

/** Draws the component again each second, while it is active. */
export function useEverySecond(isActive: boolean): void {
  const [, redraw] = useState({})
  useEffect(() => {
    const closing = new AbortController()
    const run = async () => {
      while (isActive && (await wait(1_000, abortOf(closing.signal)))) redraw({})
    }
    run()
    return () => closing.abort()
  }, [isActive])
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
