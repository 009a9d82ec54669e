import type { RowChange } from '../history/history.ts'
import type { JournalRecord } from '../journal/journal.ts'
import { parseRequestBody } from '../journal/render-parts.ts'

type Row = Readonly<Record<string, unknown>>

/** A row as a request left it. */
interface Write {
  readonly before: Row
  readonly after: Row
  /** The fields of the body. Null if the journal no longer has it */
  readonly sent: readonly string[] | null
}

/** The fields that requests wrote. Their clients may expect them as they are. */
export class WrittenFields {
  /** By the id of the row. Rows of different lists can have the same id. Their values differ. */
  readonly #writes = new Map<unknown, Write[]>()

  /** @param records the requests that wrote, as far as they are known */
  constructor(changes: readonly RowChange[] = [], records: Iterable<JournalRecord> = []) {
    if (changes.length > 0) this.add(changes, records)
  }

  add(changes: readonly RowChange[], records: Iterable<JournalRecord>): void {
    const known = new Map([...records].map((record) => [record.id, record]))
    for (const { before = {}, after = {}, cause } of changes) {
      if (!('entry' in cause)) continue
      const record = known.get(cause.entry)
      const sent = record ? Object.keys(Object(parseRequestBody(record))) : null
      const write = { before: before as Row, after: after as Row, sent }
      const { id } = write.after
      const others = this.#writes.get(id)
      if (others) others.push(write)
      else this.#writes.set(id, [write])
    }
  }

  /** Whether a request wrote the value that a row has now. @param path the path of the field, such as `content` */
  has(row: unknown, path: string): boolean {
    const { id, [path]: value } = Object(row) as Row
    const writes = this.#writes.get(id) ?? []
    return writes.some(({ before, after, sent }) => {
      const isWritten = sent?.includes(path) ?? before[path] !== after[path]
      return isWritten && JSON.stringify(after[path]) === JSON.stringify(value)
    })
  }
}
