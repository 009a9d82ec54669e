import type { JournalEntry, MaskedKey } from '../../sandbox/journal/entry.ts'
import type { Reason } from './evidence.ts'

/** Why a response is as it is: each part of it, with the rule behind it and the evidence for the rule. */
export interface ResponseReasons {
  /** The id of the journal entry */
  readonly entry: number
  readonly status: number
  /** Why the response is as it is, in a sentence */
  readonly sentence: string
  /** The fields and parameters that the operation ignored, such as `?serch, did you mean search?` */
  readonly ignored: readonly string[]
  /** The rule that decided the status */
  readonly decided_by: Reason
  /** The policies that the response depends on, the ones that decided first */
  readonly policies: readonly Reason[]
  /** The rule of each field of the body, by the path of the field: `results.0.content` */
  readonly fields: Readonly<Record<string, Reason>>
  readonly headers: Readonly<Record<string, Reason>>
  /** The rule and the default of each field of the request body */
  readonly request_fields: Readonly<Record<string, Reason>>
  /** The nearest request that succeeds now. Null for a response without an error, and if none is known */
  readonly would_succeed: SuggestedRequest | null
}

/** A request that this caller can send. It succeeds with the current rows and policies, unless a fault applies. */
export interface SuggestedRequest {
  readonly method: string
  /** The path and the query */
  readonly path: string
  /** The key to use, as in `Authorization: Bearer …` */
  readonly key: MaskedKey | null
  readonly headers: Readonly<Record<string, string>>
  /** JSON as a value. Null for no body */
  readonly body: unknown
}

/** A response, its journal entry, or the id of the entry. */
export type ExplainedResponse = Response | Pick<JournalEntry, 'id'> | number
