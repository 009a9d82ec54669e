import type { JournalRecord } from './record.ts'

/** How much a journal keeps; what is older makes room. */
export interface JournalLimits {
  /** Requests; 0 keeps none. By default 1,000 */
  readonly entries?: number
  /** Bytes of targets and bodies, asked and answered. By default 16 MiB */
  readonly bytes?: number
}

/** The latest requests to a sandbox, and what was answered. */
export class Journal {
  readonly limits: Required<JournalLimits>
  #records: JournalRecord[] = []
  #first = 0
  #kept = 0
  #lastId = 0

  constructor({ entries = 1_000, bytes = 16 * 1024 * 1024 }: JournalLimits = {}) {
    this.limits = { entries, bytes }
  }

  /** The number of the entry that a request will have: counted up, and never used twice. */
  nextId(): number {
    this.#lastId += 1
    return this.#lastId
  }

  add(record: JournalRecord): void {
    const { entries, bytes } = this.limits
    if (entries === 0) return
    this.#records.push(record)
    this.#kept += bytesOf(record)
    while (this.#records.length - this.#first > entries || this.#kept > bytes) {
      this.#kept -= bytesOf(this.#records[this.#first] as JournalRecord)
      this.#records[this.#first] = undefined as never
      this.#first += 1
    }
    // Only now and then: moving all of them at each request would cost more than the request.
    if (this.#first > entries) {
      this.#records = this.#records.slice(this.#first)
      this.#first = 0
    }
  }

  /** What is kept, oldest first. */
  get records(): readonly JournalRecord[] {
    return this.#records.slice(this.#first)
  }

  /** Forgets what is kept. Numbers go on from where they are. */
  clear(): void {
    this.#records = []
    this.#first = 0
    this.#kept = 0
  }
}

function bytesOf({ target, requestBody, answer }: JournalRecord): number {
  const body = requestBody instanceof Uint8Array ? requestBody.length : 0
  return target.length + body + answer.text.length
}
