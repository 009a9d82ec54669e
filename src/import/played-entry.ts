import type { JournalEntry } from '../simulator/journal/entry.ts'
import type { WrittenEntry } from '../simulator/journal/written-entry.ts'
import { once } from '../world/schema/world-schema.ts'

/** What import reads of the entry of a request that was played. */
export interface PlayedEntry
  extends Pick<
    JournalEntry,
    'id' | 'operation' | 'method' | 'path' | 'query' | 'key' | 'fault' | 'changes'
  > {
  readonly request: Pick<JournalEntry['request'], 'body'>
  readonly response: Pick<JournalEntry['response'], 'status' | 'headers' | 'body' | 'bytes'>
  /** The status that the recorded client got */
  readonly recorded: number
}

/** What needs masks is written when it is asked for: to hide the secrets of all bodies would take longer than to play them. */
export function playedEntryOf(written: WrittenEntry, recorded?: number): PlayedEntry {
  const { record, bytes } = written
  const { id, operation, method, response } = record
  const short = once(() => written.toJSON(false))
  const whole = once(() => written.toJSON())
  return {
    ...{ id, operation, method, recorded: recorded ?? response.status },
    get path() {
      return short().path
    },
    get query() {
      return short().query
    },
    get key() {
      return short().key
    },
    get fault() {
      return record.fault && short().fault
    },
    get changes() {
      return record.changes.length === 0 ? [] : short().changes
    },
    get request() {
      return whole().request
    },
    response: {
      status: response.status,
      bytes: bytes.received,
      get headers() {
        return whole().response.headers
      },
      get body() {
        return whole().response.body
      },
    },
  }
}
