import type { Evidence } from '../../policies/policy.ts'
import type { Json } from '../../world/rows.ts'
import type { ListName } from '../../world/table/lists.ts'

/** A request and its answer, as the journal shows them. No key is in it, nor anywhere else in the journal. */
export interface JournalEntry {
  /** Counted up from 1, by the order in which requests came */
  readonly id: number
  /** When it came: ISO 8601, UTC, by the clock of the sandbox */
  readonly at: string
  /** How long the answer took, in milliseconds */
  readonly ms: number
  /** The operation id; null for a path or a method that nothing describes */
  readonly operation: string | null
  readonly method: string
  readonly path: string
  /** The last value of each parameter */
  readonly query: Readonly<Record<string, string>>
  /** Null for a request without one */
  readonly key: MaskedKey | null
  readonly request: JournalMessage
  readonly answer: JournalResponse
  /** Those that the answer came from */
  readonly policies: readonly JournalPolicy[]
  /** Null where nothing disturbed the answer */
  readonly fault: JournalFault | null
  readonly changes: readonly JournalChange[]
  /** The routes that were probably meant; for requests without an operation only */
  readonly nearest?: readonly NearRoute[]
}

/** A key, never shown whole. */
export interface MaskedKey {
  /** Null for a key without one, and for a value that no key has */
  readonly label: string | null
  /** Such as `phx_…1234` */
  readonly value: string
}

/** What a request and an answer have in common. */
export interface JournalMessage {
  readonly headers: Readonly<Record<string, string>>
  /** JSON as a value, a form as an object, else a text; null where there is none */
  readonly body: unknown
  /** How long the body is */
  readonly bytes: number
  /** Whether the body was too large to keep; then it is null */
  readonly omitted: boolean
}

/** What was answered. */
export interface JournalResponse extends JournalMessage {
  /** 0 for a connection that broke */
  readonly status: number
}

/** A policy as it was set, and why that is believed. */
export interface JournalPolicy {
  readonly id: string
  readonly setting: string | number
  readonly evidence: Evidence
  readonly source: string
}

/** The fault that disturbed an answer. */
export interface JournalFault {
  /** Of the rule */
  readonly id: string
  readonly effect: Json
  readonly phase: string
}

/** A row that a request changed. */
export interface JournalChange {
  readonly list: ListName
  readonly id: number | string
  readonly kind: 'created' | 'changed' | 'removed'
  /** What each field was, and what it is; null where there was no row */
  readonly fields: Readonly<Record<string, readonly [before: unknown, after: unknown]>>
}

/** An endpoint near to a path that nothing answers. */
export interface NearRoute {
  /** `GET /api/projects/:project_id/annotations` */
  readonly route: string
  /** `segment 4: expected annotations, got annotation` */
  readonly differs: string
}
