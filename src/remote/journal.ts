import type { JournalEntry } from '../sandbox/journal/entry.ts'
import type { JournalAccess } from '../sandbox/journal/journal-access.ts'
import type { ControlClient } from './client.ts'
import { readServerSentEvents } from './client.ts'
import type { Promisified } from './resources.ts'

/** From where on, and how, a journal is followed. */
export interface FollowOptions {
  /** Begins with what came after this entry, as far as it is kept. */
  readonly after?: number
  /** Told how many entries went by unseen, where they came faster than they were read. */
  readonly onMissed?: (entries: number) => void
  /** Told of a connection that broke, and of what the listener throws; by default console.error. */
  readonly onError?: (error: unknown) => void
  /** Told that the server has ended it, as it does with a sandbox that ends. */
  readonly onEnd?: () => void
}

/** The journal of a simulator, as in-process. */
export interface RemoteJournal
  extends Promisified<Pick<JournalAccess, 'find' | 'get' | 'verify' | 'toHar' | 'clear'>> {
  /**
   * Tells of each entry from here on.
   *
   * @returns ends that; the connection stays open until then
   */
  follow(listener: (entry: JournalEntry) => void, options?: FollowOptions): Promise<() => void>
}

export function remoteJournal(line: ControlClient): RemoteJournal {
  return {
    find: (filter = {}) => line.call('listJournal', { query: filter }),
    get: (id) => line.callOrUndefined('retrieveJournalEntry', { params: { id } }),
    verify: (body) => line.call('verifyRequests', { body }),
    toHar: (filter = {}) => line.call('exportHar', { query: filter }),
    clear: () => line.call('clearJournal'),
    follow: (listener, options = {}) => followJournal(line, listener, options),
  }
}

async function followJournal(
  line: ControlClient,
  listener: (entry: JournalEntry) => void,
  { after, onMissed = () => {}, onError = console.error, onEnd = () => {} }: FollowOptions,
): Promise<() => void> {
  const ending = new AbortController()
  const { signal } = ending
  const headers: HeadersInit = after === undefined ? {} : { 'last-event-id': String(after) }
  const response = await line.send('followJournal', { init: { signal, headers } })
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
  return () => ending.abort()
}
