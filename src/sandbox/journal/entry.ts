import type { OperationId } from '../../api/operation-id.ts'
import type { EndpointSuggestion } from '../../http/unknown-path.ts'
import type { Evidence } from '../../settings/setting.ts'
import type { Json } from '../../world/rows.ts'
import type { ListName } from '../../world/tables.ts'

export type { EndpointSuggestion }

/** A request and its response. Keys are masked, here and everywhere else in the journal. */
export interface JournalEntry {
  /** Counted from 1, in the order in which requests arrive */
  readonly id: number
  /** When the request arrived: ISO 8601, UTC, by the clock of the sandbox */
  readonly at: string
  /** The time until the response, in milliseconds */
  readonly ms: number
  /** The operation id, or null for an unknown path or method */
  readonly operation: OperationId | null
  readonly method: string
  readonly path: string
  /** The last value of each parameter */
  readonly query: Readonly<Record<string, string>>
  /** Null for a request without a key */
  readonly key: MaskedKey | null
  readonly request: JournalMessage
  readonly response: JournalResponse
  /** Why the response is as it is, in a sentence. Null for an unremarkable success */
  readonly reason: string | null
  /** The fields and parameters that the operation ignored, such as `body.contnt, did you mean content?` */
  readonly ignored: readonly string[]
  /** The settings that the response depends on */
  readonly settings: readonly JournalSetting[]
  /** The fault that was applied, or null */
  readonly fault: JournalFault | null
  readonly changes: readonly JournalChange[]
  /**
   * The test that the request belongs to: its header `Understudy-Test`, or the name of its sandbox. Only if one of them
   * is known
   */
  readonly test?: string
  /** How many times all rows had been replaced before, such as by a reset. Only if they were */
  readonly resets?: number
  /** `true` for a DELETE of an annotation that is not there, or deleted already. Only for these */
  readonly missing_row?: boolean
  /** The id of the row before the first one of a page. Only if there is one */
  readonly preceding_row?: number
  /** The endpoints closest to the request. Only for requests without an operation */
  readonly nearest?: readonly EndpointSuggestion[]
}

/** A key, never in full. */
export interface MaskedKey {
  /** Null for a key without a label, and for an unknown key */
  readonly label: string | null
  /** Such as `phx_…1234` */
  readonly value: string
}

/** The headers and the body of a request or a response. */
export interface JournalMessage {
  readonly headers: Readonly<Record<string, string>>
  /** JSON as a value, a form as an object, anything else as text. Null for no body */
  readonly body: unknown
  /** The length of the body */
  readonly bytes: number
  /** Whether the body was too large to store. Then `body` is null */
  readonly omitted: boolean
}

/** A response. */
export interface JournalResponse extends JournalMessage {
  /** 0 if the connection broke */
  readonly status: number
}

/** A setting, its value at the time of the request, and the evidence for it. */
export interface JournalSetting {
  readonly id: string
  readonly value: string | number
  readonly evidence: Evidence
  readonly source: string
}

/** The fault that was applied to a request. */
export interface JournalFault {
  /** The id of its rule */
  readonly id: string
  readonly effect: Json
  readonly phase: string
}

/** A row that a request changed. */
export interface JournalChange {
  readonly list: ListName
  readonly id: number | string
  readonly kind: 'created' | 'changed' | 'removed'
  /** The old and the new value of each changed field. Null for a row that does not exist */
  readonly fields: Readonly<Record<string, readonly [before: unknown, after: unknown]>>
}

/** What a reason begins with. @example reasonStart(401) // '401: ' */
export function reasonStart(status: number): string {
  return `${status === 0 ? 'no response' : status}: `
}

/** The reason of an entry, for a line that has the status already. */
export function reasonWithoutStatus(reason: string, status: number): string {
  return reason.slice(reasonStart(status).length)
}
