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
}

/** Each part is written once, when it is asked for: to hide the secrets of all bodies would take longer than to play them. */
export function playedEntryOf(written: WrittenEntry): PlayedEntry {
  const { id, operation, method, record, bytes } = written
  const path = once(() => written.path)
  const query = once(() => written.query)
  const key = once(() => written.key)
  const fault = once(() => written.fault)
  const changes = once(() => written.changes)
  const request = once(() => written.request)
  const response = once(() => written.response)
  return {
    ...{ id, operation, method },
    get path() {
      return path()
    },
    get query() {
      return query()
    },
    get key() {
      return key()
    },
    get fault() {
      return fault()
    },
    get changes() {
      return changes()
    },
    get request() {
      return request()
    },
    response: {
      status: record.response.status,
      bytes: bytes.received,
      get headers() {
        return response().headers
      },
      get body() {
        return response().body
      },
    },
  }
}
