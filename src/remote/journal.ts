import type { JournalEntry } from '../sandbox/journal/entry.ts'
import type { JournalAccess } from '../sandbox/journal/journal-access.ts'
import { type ControlClient, readServerSentEvents } from './client.ts'
import type { Promisified } from './resources.ts'

/** Options of `journal.follow`. */
export interface FollowOptions {
  /** The id of an entry. Following starts with the entries after it that are still stored. */
  readonly after?: number
  /** Called with the number of entries that were skipped because they arrived faster than they were read. */
  readonly onMissed?: (entries: number) => void
  /** Called with errors of the connection and of the listener. By default console.error. */
  readonly onError?: (error: unknown) => void
  /** Called when the server ends the stream, as it does when a sandbox ends. */
  readonly onEnd?: () => void
}

/** The journal of a simulator in another process. */
export interface RemoteJournal
  extends Promisified<Pick<JournalAccess, 'find' | 'get' | 'verify' | 'toHar' | 'clear'>> {
  /**
   * Calls the listener with each new entry, over a connection that stays open.
   *
   * @returns a function that closes the connection
   */
  follow(listener: (entry: JournalEntry) => void, options?: FollowOptions): Promise<() => void>
}

export function remoteJournal(client: ControlClient): RemoteJournal {
  return {
    find: (filter = {}) => client.call('listJournal', { query: filter }),
    get: (id) => client.callOrUndefined('retrieveJournalEntry', { params: { id } }),
    verify: (body) => client.call('verifyRequests', { body }),
    toHar: (filter = {}) => client.call('exportHar', { query: filter }),
    clear: () => client.call('clearJournal'),
    follow: (listener, options = {}) => followJournal(client, listener, options),
  }
}

async function followJournal(
  client: ControlClient,
  listener: (entry: JournalEntry) => void,
  { after, onMissed = () => {}, onError = console.error, onEnd = () => {} }: FollowOptions,
): Promise<() => void> {
  const controller = new AbortController()
  const { signal } = controller
  const headers: HeadersInit = after === undefined ? {} : { 'last-event-id': String(after) }
  const response = await client.send('followJournal', { init: { signal, headers } })
  const read = async (): Promise<void> => {
    for await (const { event, data } of readServerSentEvents(response)) {
      if (signal.aborted) return
      try {
        if (event === 'missed') onMissed(JSON.parse(data).entries)
        else listener(JSON.parse(data))
      } catch (error) {
        onError(error)
      }
    }
    if (!signal.aborted) onEnd()
  }
  read().catch((error) => {
    if (!signal.aborted) onError(error)
  })
  return () => controller.abort()
}
