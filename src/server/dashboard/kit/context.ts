import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Health } from '../../../remote/client.ts'
import type { Remote, Vocabulary } from '../../../remote/connect.ts'
import { type Notifications, useLoad, useStore } from './hooks.ts'
import type { LiveJournal } from './live-journal.ts'
import type { LiveState } from './live-state.ts'
import { type DashboardRoute, formatHash, type ViewParams } from './navigation.ts'

export interface Dashboard {
  /** The client of the selected world: the server's main world or a sandbox. */
  readonly remote: Remote
  /** The client of the server's main world, which manages the sandboxes. */
  readonly server: Remote
  /** The id of the selected sandbox; null for the main world. */
  readonly sandbox: string | null
  readonly journal: LiveJournal
  readonly state: LiveState
  readonly notifications: Notifications
  /** Returns the URL hash of a view in the selected world. */
  readonly link: (...path: readonly (string | number)[]) => string
}

export const DashboardContext = createContext<Dashboard | null>(null)

export function useDashboard(): Dashboard {
  const dashboard = useContext(DashboardContext)
  if (!dashboard) throw new Error('useDashboard() requires a DashboardContext provider.')
  return dashboard
}

interface Navigation {
  readonly route: DashboardRoute
  /** Changes the parameters of the URL in place: the Back button leaves the view, not the filter. */
  readonly replaceParams: (params: ViewParams) => void
}

export const NavigationContext = createContext<Navigation | null>(null)

/**
 * The settings of a view, which are part of the URL and survive a reload.
 *
 * @param defaults are not in the URL
 */
export function useViewParams<T extends ViewParams>(defaults: T) {
  const { route, replaceParams } = useContext(NavigationContext) as Navigation
  const params: T = { ...defaults, ...route.params }
  /** A change of anything but the page leads back to the first page. */
  const setParams = (changes: Partial<T>) => {
    const next = { ...params, page: '', ...changes } as Record<string, string>
    const entries = Object.entries(next).filter(([name, value]) => value !== defaults[name])
    replaceParams(Object.fromEntries(entries))
  }
  return {
    params,
    setParams,
    /** The properties of a form field that changes a parameter. */
    field: <Name extends keyof T & string>(name: Name) => ({
      value: params[name],
      onChange: (value: T[Name]) => setParams({ [name]: value } as unknown as Partial<T>),
    }),
    /** Returns the URL hash of a view in the selected world. It keeps the settings. */
    linkHere: (...path: readonly (string | number)[]) =>
      formatHash(path, route.sandbox, route.params),
  }
}

/** The clock, the faults and the policies. The component renders again when they change. */
export function useLiveState(): LiveState {
  return useStore(useDashboard().state)
}

/** Returns a function that runs an operation and shows its result as a notification. */
export function useAction(
  onSuccess?: () => void,
): (success: string, work: () => Promise<unknown>) => Promise<void> {
  const { notifications, state } = useDashboard()
  return async (success, work) => {
    try {
      await work()
      state.refresh()
      notifications.showSuccess(success)
      onSuccess?.()
    } catch (error) {
      notifications.showError(error)
    }
  }
}

/** The first 200 rows of a list, which is as many as a menu can hold. */
export function useFirstRows<List extends 'projects' | 'users' | 'organizations' | 'plugins'>(
  list: List,
) {
  const { remote } = useDashboard()
  return useLoad(() => remote.world.find(list, { limit: 200 }), [remote, list]).value?.rows ?? []
}

export function toOptions(projects: readonly { readonly id: number; readonly name: string }[]) {
  return projects.map(({ id, name }) => [String(id), `${name} (${id})`] as const)
}

/** Which of several replicas has the main world. Undefined for a single server, and until it is loaded. */
export function useReplica(): Health['replica'] {
  const { server } = useDashboard()
  return useLoad(() => server.health(), [server]).value?.replica
}

/** The names that rules and rows may contain. Undefined until they are loaded. */
export function useVocabulary(): Vocabulary | undefined {
  const { server } = useDashboard()
  return useLoad(() => server.vocabulary(), [server]).value
}
