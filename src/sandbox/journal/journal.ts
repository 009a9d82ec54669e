import { BoundedQueue, type MemoryBudget } from '../../utils/bounded-queue.ts'
import { rejectUnknownFields, unexpectedValue } from '../../utils/usage-error.ts'
import { compactRecord, type JournalRecord, type PendingRecord } from './record.ts'

/** The size of a journal. The oldest entries are evicted. */
export interface JournalLimits {
  /** The largest number of requests. 0 disables the journal. Defaults to 1,000 */
  readonly entries?: number
  /** The largest size in bytes. A body of more than a quarter of it is omitted. Defaults to 16 MiB */
  readonly bytes?: number
  /** Names of further headers, parameters and fields that are secret, without case */
  readonly redact?: readonly string[]
}

/** The latest requests to a sandbox, with their responses. */
export class Journal {
  readonly limits: Required<JournalLimits>
  /** The id of the latest request, which may still have no response. */
  lastId = 0
  /** Whether its sandbox ended. */
  isClosed = false
  readonly #records: BoundedQueue<JournalRecord>

  /** @throws UsageError for an invalid limit */
  constructor(limits: JournalLimits) {
    rejectUnknownFields(limits, ['entries', 'bytes', 'redact'], 'limit the journal')
    const { entries = 1_000, bytes = 16 * 1024 * 1024, redact = [] } = limits
    for (const [name, value] of Object.entries({ entries, bytes })) {
      if (Number.isInteger(value) && value >= 0) continue
      const expected = `${name} to be a whole number, 0 or greater`
      throw unexpectedValue('limit the journal', expected, value, undefined, `journal.${name}`)
    }
    this.limits = { entries, bytes, redact }
    this.#records = new BoundedQueue({ count: entries, bytes })
  }

  /** Whether the journal is disabled. */
  get isOff(): boolean {
    return this.limits.entries === 0
  }

  /** How many records were evicted since the journal was last cleared. */
  get evictedCount(): number {
    return this.#records.evictedCount
  }

  /** The position of the next record. Positions follow the order of the responses. */
  get position(): number {
    return this.#records.nextPosition
  }

  /** Returns the id of the next request. Ids are never reused. */
  nextId(): number {
    this.lastId += 1
    return this.lastId
  }

  /** @param record becomes the property of the journal */
  add(record: PendingRecord): void {
    this.#records.push(record, compactRecord(record, this.limits.bytes / 4))
  }

  /** The records, in the order of the responses. */
  get records(): JournalRecord[] {
    return this.#records.list()
  }

  /** The oldest record at a position or after it. */
  next(from: number): { readonly item: JournalRecord; readonly position: number } | null {
    return this.#records.next(from)
  }

  /** Removes all records. Ids are not reused. */
  clear(): void {
    this.#records.clear()
  }

  /** Shares a budget of bytes with other journals. */
  share(budget: MemoryBudget): void {
    this.#records.share(budget)
  }

  /** Frees the memory. */
  close(): void {
    this.isClosed = true
    this.#records.clear()
    this.#records.share(null)
  }
}
