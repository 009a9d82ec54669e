import type { RowChange } from '../history/history.ts'
import type { ApiRequest, ApiResponse } from '../http/call.ts'
import type { PolicyReads, TrackedSettings } from '../policies/noted.ts'
import type { PolicySettings } from '../policies/policies.ts'
import type { Clock } from '../world/clock.ts'
import type { JournalRecord, RecordedFault } from './record.ts'

/** What a record is begun with. */
type RecordStart = Pick<JournalRecord, 'id' | 'at' | 'operation' | 'settings'>

/**
 * The record of a request that is on its way. It becomes the record itself: a copy would cost as much again.
 *
 * @note A class, as all that is kept for a while of each request: of literals that outlive some collections V8 makes
 * the next ones old at once, and what is old keeps all that it refers to until the whole heap is looked through.
 */
export class PendingRecord implements JournalRecord {
  readonly id: number
  readonly at: number
  readonly operation: string | null
  readonly method: string
  readonly target: string
  readonly requestHeaders: ApiRequest['headers']
  requestBody: JournalRecord['requestBody'] = null
  ms = 0
  response: JournalRecord['response'] = emptyResponse
  policyReads: PolicyReads | null = null
  settings: PolicySettings
  fault: RecordedFault | null = null
  changes: readonly RowChange[] = noChanges

  constructor(
    { id, at, operation, settings }: RecordStart,
    { method, target, headers }: Pick<ApiRequest, 'method' | 'target' | 'headers'>,
  ) {
    this.id = id
    this.at = at
    this.operation = operation
    this.settings = settings
    this.method = method
    this.target = target
    this.requestHeaders = headers
  }

  /** @param ms since it came */
  complete(
    { body, text }: Pick<ApiRequest, 'body' | 'text'>,
    given: ApiResponse,
    ms: number,
  ): this {
    this.requestBody = body === 'too_large' ? { omitted: this.#contentLength } : (text ?? body)
    this.response = given
    this.ms = ms
    return this
  }

  /** Notes what answering came to; of a request that was carried out and then refused, what both read. */
  attach(noted: TrackedSettings, changes: readonly RowChange[]): void {
    if (this.policyReads) {
      this.policyReads = this.policyReads.or(noted.takeReads())
      return
    }
    this.policyReads = noted.takeReads()
    this.settings = noted.untracked
    this.changes = changes
  }

  get #contentLength(): number {
    return Number(this.requestHeaders.get('content-length') ?? 0)
  }
}

/** What is known of a request when it comes. */
export function createPendingRecord(
  id: number,
  operation: string | null,
  call: Pick<ApiRequest, 'method' | 'target' | 'headers'>,
  { clock, noted }: { readonly clock: Clock; readonly noted: TrackedSettings },
): PendingRecord {
  return new PendingRecord({ id, at: clock.now(), operation, settings: noted.untracked }, call)
}

const emptyResponse: JournalRecord['response'] = { status: 0, headers: {}, text: '', ascii: true }
const noChanges: readonly RowChange[] = []
