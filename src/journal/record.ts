import type { AppliedFault } from '../faults/fault.ts'
import type { Change } from '../history/history.ts'
import type { Answer, Call } from '../http/call.ts'
import type { Noted } from '../policies/noted.ts'

/** What is kept of a request at the moment it is answered: references, so that keeping costs next to nothing. */
export interface JournalRecord {
  readonly id: number
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly at: number
  /** How long the answer took, in milliseconds. */
  readonly ms: number
  /** The operation id; null for a path that nothing describes. */
  readonly operation: string | null
  readonly method: string
  /** The path and the query. */
  readonly target: string
  readonly requestHeaders: Call['headers']
  readonly requestBody: Call['body']
  readonly answer: Answer
  readonly noted: Noted
  readonly fault: AppliedFault | null
  readonly changes: readonly Change[]
}
