import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Remote, Vocabulary } from '../../../remote/connect.ts'
import { type Notifications, useLoad } from './hooks.ts'
import type { LiveJournal } from './live-journal.ts'

export interface Dashboard {
  /** The client of the selected world: the server's main world or a sandbox. */
  readonly remote: Remote
  /** The client of the server's main world, which manages the sandboxes. */
  readonly server: Remote
  /** The id of the selected sandbox; null for the main world. */
  readonly sandbox: string | null
  readonly journal: LiveJournal
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

/** Returns a function that runs an operation and shows its result as a notification. */
export function useAction(
  onSuccess?: () => void,
): (success: string, work: () => Promise<unknown>) => Promise<void> {
  const { notifications } = useDashboard()
  return async (success, work) => {
    try {
      await work()
      notifications.showSuccess(success)
      onSuccess?.()
    } catch (error) {
      notifications.showError(error)
    }
  }
}

/** The first 200 rows of a list, which is as many as a menu can hold. */
export function useFirstRows<List extends 'projects' | 'users'>(list: List) {
  const { remote } = useDashboard()
  return useLoad(() => remote.world.find(list, { limit: 200 }), [remote]).value?.rows ?? []
}

export function toOptions(projects: readonly { readonly id: number; readonly name: string }[]) {
  return projects.map(({ id, name }) => [String(id), `${name} (${id})`] as const)
}

/** The names that rules and rows may contain. Undefined until they are loaded. */
export function useVocabulary(): Vocabulary | undefined {
  const { server } = useDashboard()
  return useLoad(() => server.vocabulary(), [server]).value
}
