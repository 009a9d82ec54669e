import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Remote } from '../../remote/remote.ts'
import type { LiveJournal } from '../requests/live-journal.ts'
import type { Notices } from './notices.tsx'

/** What every part of the dashboard works with. */
export interface Place {
  /** The world that is looked at. */
  readonly remote: Remote
  /** The server's own world, which has the sandboxes. */
  readonly root: Remote
  /** Its sandbox; null for the server's own. */
  readonly sandbox: string | null
  readonly journal: LiveJournal
  readonly notices: Notices
  /** The address of a part of the dashboard, in the same world. */
  readonly link: (...path: readonly (string | number)[]) => string
}

export const PlaceContext = createContext<Place | null>(null)

export function usePlace(): Place {
  const place = useContext(PlaceContext)
  if (!place) throw new Error('Failed to find the place: expected to be inside of the dashboard.')
  return place
}

/** Does something, and tells how it went. */
export function useDo(): (done: string, work: () => Promise<unknown>) => Promise<boolean> {
  const { notices } = usePlace()
  return async (done, work) => {
    try {
      await work()
      notices.say(done)
      return true
    } catch (error) {
      notices.fail(error)
      return false
    }
  }
}
