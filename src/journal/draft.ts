import type { Change } from '../history/history.ts'
import type { Answer, Call } from '../http/call.ts'
import type { Noted, NotedSettings } from '../policies/noted.ts'
import type { PolicySettings } from '../policies/policies.ts'
import type { Clock } from '../world/clock.ts'
import type { JournalRecord, NotedFault } from './record.ts'

/** What a record is begun with. */
type Beginning = Pick<JournalRecord, 'id' | 'at' | 'operation' | 'settings'>

/**
 * The record of a request that is on its way. It becomes the record itself: a copy would cost as much again.
 *
 * @note A class, as all that is kept for a while of each request: of literals that outlive some collections V8 makes
 * the next ones old at once, and what is old keeps all that it refers to until the whole heap is looked through.
 */
export class Draft implements JournalRecord {
  readonly id: number
  readonly at: number
  readonly operation: string | null
  readonly method: string
  readonly target: string
  readonly requestHeaders: Call['headers']
  requestBody: JournalRecord['requestBody'] = null
  ms = 0
  answer: JournalRecord['answer'] = unanswered
  noted: Noted | null = null
  settings: PolicySettings
  fault: NotedFault | null = null
  changes: readonly Change[] = unchanged

  constructor(
    { id, at, operation, settings }: Beginning,
    { method, target, headers }: Pick<Call, 'method' | 'target' | 'headers'>,
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
  answered({ body, text }: Pick<Call, 'body' | 'text'>, given: Answer, ms: number): this {
    this.requestBody = body === 'too_large' ? { omitted: this.#contentLength } : (text ?? body)
    this.answer = given
    this.ms = ms
    return this
  }

  /** Notes what answering came to; of a request that was carried out and then refused, what both read. */
  note(noted: NotedSettings, changes: readonly Change[]): void {
    if (this.noted) {
      this.noted = this.noted.or(noted.take())
      return
    }
    this.noted = noted.take()
    this.settings = noted.plain
    this.changes = changes
  }

  get #contentLength(): number {
    return Number(this.requestHeaders.get('content-length') ?? 0)
  }
}

/** What is known of a request when it comes. */
export function draftOf(
  id: number,
  operation: string | null,
  call: Pick<Call, 'method' | 'target' | 'headers'>,
  { clock, noted }: { readonly clock: Clock; readonly noted: NotedSettings },
): Draft {
  return new Draft({ id, at: clock.now(), operation, settings: noted.plain }, call)
}

const unanswered: JournalRecord['answer'] = { status: 0, headers: {}, text: '', ascii: true }
const unchanged: readonly Change[] = []
