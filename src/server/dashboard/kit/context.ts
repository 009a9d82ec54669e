import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Remote, Words } from '../../../remote/connect.ts'
import type { ProjectRow } from '../../../world/rows.ts'
import type { Notifications } from './feedback.tsx'
import { useLoad } from './hooks.ts'
import type { LiveJournal } from './live-journal.ts'

/** What every part of the dashboard works with. */
export interface Dashboard {
  /** The world that is looked at. */
  readonly remote: Remote
  /** The server's own world, which has the sandboxes. */
  readonly server: Remote
  /** Its sandbox; null for the server's own. */
  readonly sandbox: string | null
  readonly journal: LiveJournal
  readonly notices: Notifications
  /** The address of a part of the dashboard, in the same world. */
  readonly link: (...path: readonly (string | number)[]) => string
}

export const DashboardContext = createContext<Dashboard | null>(null)

export function useDashboard(): Dashboard {
  const place = useContext(DashboardContext)
  if (!place) throw new Error('Failed to find the place: expected to be inside of the dashboard.')
  return place
}

/** Does something, and tells how it went. */
export function useAction(): (done: string, work: () => Promise<unknown>) => Promise<boolean> {
  const { notices } = useDashboard()
  return async (done, work) => {
    try {
      await work()
      notices.showSuccess(done)
      return true
    } catch (error) {
      notices.showError(error)
      return false
    }
  }
}

/** The projects of the world, as many as a menu can hold. */
export function useProjects(): readonly ProjectRow[] {
  const { remote } = useDashboard()
  return useLoad(() => remote.world.find('projects', { limit: 200 }), [remote]).value?.rows ?? []
}

/** The words that rows and rules take; undefined until they are here. */
export function useVocabulary(): Words | undefined {
  const { server } = useDashboard()
  return useLoad(() => server.words(), [server]).value
}
