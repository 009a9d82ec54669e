import type { JournalEntry } from '../simulator/journal/entry.ts'
import { refuseOthers } from '../utils/errors.ts'
import type { Connection } from './connection.ts'

/** Options of `journal.follow`. */
export interface FollowOptions {
  /** The id of an entry. Following starts with the entries after it that are still stored. */
  readonly after?: number
  /** False leaves out headers and bodies. Defaults to true */
  readonly bodies?: boolean
  /** Called with the number of entries that were skipped because they arrived faster than they were read. */
  readonly onMissed?: (entries: number) => void
  /** Called with errors of the connection and of the listener. By default console.error. */
  readonly onError?: (error: unknown) => void
  /** Called when the server ends the stream, as it does when a sandbox ends. */
  readonly onEnd?: () => void
}

const names = ['after', 'bodies', 'onMissed', 'onError', 'onEnd'] satisfies (keyof FollowOptions)[]

const print = (error: unknown): void => console.error(error)

/** Calls the listener with each new entry, over a connection that stays open. */
export async function followJournal(
  connection: Connection,
  listener: (entry: JournalEntry) => void,
  options: FollowOptions,
): Promise<() => void> {
  refuseOthers(options, names, 'follow the journal')
  const { after, bodies = true, onMissed, onError = print, onEnd } = options
  const controller = new AbortController()
  const { signal } = controller
  const headers = { ...(after !== undefined && { 'last-event-id': String(after) }) }
  const query = bodies ? {} : { bodies }
  const response = await connection.send('GET /journal/events', {
    query,
    init: { signal, headers },
  })
  const read = async (): Promise<void> => {
    for await (const { event, data } of readServerSentEvents(response)) {
      if (signal.aborted) return
      try {
        if (event === 'missed') onMissed?.(JSON.parse(data).entries)
        else listener(JSON.parse(data))
      } catch (error) {
        onError(error)
      }
    }
    if (!signal.aborted) onEnd?.()
  }
  read().catch((cause) => {
    const message =
      'journal.follow() has ended, because the connection to its server broke. Call the function that it returns before you close the server, or handle the end by onError.'
    if (!signal.aborted) onError(onError === print ? message : new Error(message, { cause }))
  })
  return () => controller.abort()
}

/**
 * Reads the server-sent events of a response. It supports what an Understudy server sends, a part of the HTML standard:
 * lines end with LF, and an event has one line of data, after its name. Comments are skipped.
 */
export async function* readServerSentEvents(response: Response) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += decoder.decode(value, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, event = 'message', data] = /(?:event: (\w+)\n)?data: ([^\n]*)/.exec(block) ?? []
      if (data !== undefined) yield { event, data }
    }
  }
}
