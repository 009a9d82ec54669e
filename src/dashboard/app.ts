import { createContext } from 'preact'
import { useCallback, useContext, useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { Remote } from '../admin/connect.ts'
import type { Live } from './live.ts'
import { type Address, formatHash, type Params, type Route, type ViewPath } from './route.ts'

export interface App {
  /** The main world of the server, which has the sandboxes */
  readonly server: Remote
  /** The selected world: the main one, or a sandbox */
  readonly remote: Remote
  readonly live: Live
  /** Whether the simulator runs in this page: there is no server, which files and other programs could reach */
  readonly isInPage: boolean
  readonly address: Address
  readonly route: Route
  /** Shows another route without an entry in the history of the browser. */
  readonly setRoute: (route: Route) => void
  readonly notify: (notice: Notice | null) => void
}

export interface Notice {
  readonly text: string
  readonly isError: boolean
}

export const AppContext = createContext<App | null>(null)

export function useApp(): App {
  const app = useContext(AppContext)
  if (!app) throw new Error('useApp() needs an AppContext.')
  return app
}

export function useLive(): Live {
  const { live } = useApp()
  const [, redraw] = useState({})
  useLayoutEffect(() => live.subscribe(() => redraw({})), [live])
  return live
}

export interface Loaded<T> {
  /** Undefined until it is loaded. It stays while a newer value is loading. */
  readonly value: T | undefined
  readonly error: Error | null
}

/** Loads a value, and loads it again when an input changes, after each operation, and after requests that change rows. */
export function useLoad<T>(
  request: (remote: Remote) => Promise<T>,
  inputs: readonly unknown[] = [],
): Loaded<T> {
  const { remote } = useApp()
  const { version } = useLive()
  const [loaded, setLoaded] = useState<Loaded<T>>({ value: undefined, error: null })
  useEffect(() => {
    let isCurrent = true
    request(remote).then(
      (value) => isCurrent && setLoaded({ value, error: null }),
      (error: Error) => isCurrent && setLoaded(({ value }) => ({ value, error })),
    )
    return () => {
      isCurrent = false
    }
  }, [remote, version, ...inputs])
  return loaded
}

/**
 * Returns a function that runs an operation and shows the message that it resolves to, or its error. What is shown is then
 * loaded again.
 */
export function useAction() {
  const { notify, live } = useApp()
  return useCallback(
    async (work: () => Promise<string>, onError?: (error: Error) => void) => {
      try {
        const text = await work()
        await live.changed()
        notify({ text, isError: false })
      } catch (error) {
        if (onError) onError(error as Error)
        else notify({ text: (error as Error).message, isError: true })
      }
    },
    [live, notify],
  )
}

/** Returns functions that return the address of a view: `link` without the settings of the present one, `linkHere` with them; and one that goes to an address. */
export function useLinks() {
  const { address, route } = useApp()
  const { sandbox, params } = route
  return {
    link: (...path: ViewPath) => formatHash(path, sandbox),
    linkHere: (...path: ViewPath) => formatHash(path, sandbox, params),
    go: (hash: string) => address.go(hash),
  }
}

/** The settings of a view in the address. They survive a reload. The Back button leaves the view, not the filter. */
export function useParams() {
  const { address, route, setRoute } = useApp()
  const set = (changes: Params) => {
    const next = { ...route, params: { ...route.params, ...changes } }
    address.go(formatHash(next.path, next.sandbox, next.params), true)
    setRoute(next)
  }
  /** The properties of a form field that changes one. A filter leads back to the first page. */
  const field = (name: string) => ({
    value: route.params[name] ?? '',
    onChange: (value: string) => set({ page: '', [name]: value }),
  })
  return { params: route.params, set, field }
}
