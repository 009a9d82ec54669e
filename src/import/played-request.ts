import { ClientRequest } from '../mistakes/client-request.ts'
import type { JournalChange } from '../simulator/journal/entry.ts'
import { toJournalChange } from '../simulator/journal/row-changes.ts'
import type { WrittenEntry } from '../simulator/journal/written-entry.ts'

/** A request to the API that a step of a scenario sent. */
export class PlayedRequest extends ClientRequest {
  /** The index of the step */
  readonly index: number
  /** The label of its key. Null for one without a key */
  readonly key: string | null
  /** The status that the recorded client got: 0 without a response */
  readonly recorded: number

  constructor(index: number, entry: WrittenEntry, recorded?: number) {
    super(entry, null)
    this.index = index
    this.key = entry.key?.label ?? null
    this.recorded = recorded ?? this.status
  }

  /** Whether the recorded client got a complete success */
  get isOk(): boolean {
    return this.recorded >= 200 && this.recorded < 300 && !this.isLost
  }

  /** The path as it was sent */
  get sentPath(): string {
    return this.record.target.split('?')[0] ?? ''
  }

  /** What the request changed, field by field */
  get edits(): readonly JournalChange[] {
    return this.record.changes.map(toJournalChange)
  }
}
