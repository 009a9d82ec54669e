import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Remote } from '../../../remote/connect.ts'
import type { ProjectRow, UserRow } from '../../../world/rows.ts'
import type { Notifications } from './feedback.tsx'
import { useLoad } from './hooks.ts'
import type { LiveJournal } from './live-journal.ts'

/** The objects that all views share. */
export interface Dashboard {
  /** The client of the selected world: the server's main world or a sandbox. */
  readonly remote: Remote
  /** The client of the server's main world, which manages the sandboxes. */
  readonly server: Remote
  /** The id of the selected sandbox; null for the main world. */
  readonly sandbox: string | null
  /** The journal of the selected world. */
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

/**
 * Returns a function that runs an operation and shows its result as a notification.
 *
 * @param onSuccess called when an operation has succeeded, for example to reload a list
 * @example
 * const run = useAction(reload)
 * run('Clock frozen.', () => remote.clock.freeze())
 */
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

/** The first 200 projects, which is as many as a menu can hold. */
export function useProjects(): readonly ProjectRow[] {
  const { remote } = useDashboard()
  return useLoad(() => remote.world.find('projects', { limit: 200 }), [remote]).value?.rows ?? []
}

/** The first 200 users. */
export function useUsers(): readonly UserRow[] {
  const { remote } = useDashboard()
  return useLoad(() => remote.world.find('users', { limit: 200 }), [remote]).value?.rows ?? []
}

/** The names that rules and rows may contain, such as operation ids and annotation scopes. */
export type Vocabulary = Awaited<ReturnType<Remote['vocabulary']>>

/** Undefined until it is loaded. */
export function useVocabulary(): Vocabulary | undefined {
  const { server } = useDashboard()
  return useLoad(() => server.vocabulary(), [server]).value
}
