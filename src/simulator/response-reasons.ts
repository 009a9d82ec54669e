import type { Evidence } from '../settings/evidence.ts'
import type { SettingId } from '../settings/setting.ts'
import type { RequestFinding } from '../utils/reports/report.ts'
import type { JournalEntry } from './journal/entry.ts'

/** A setting that a response depends on, and why its value is believed. */
export interface Reason {
  readonly id: SettingId
  readonly value: string | number
  /** Its question, and what the value means */
  readonly sentence: string
  readonly evidence: Evidence
  readonly source: string
  /** What the documentation says about the setting */
  readonly documentation: readonly string[]
}

/** A request that would succeed with the current rows and settings, unless a fault applies. */
export interface SuggestedRequest {
  readonly method: string
  /** The path and the query */
  readonly path: string
  /** The key to send in `Authorization: Bearer …`. Its value is masked: its label says which key it is */
  readonly key: { readonly label: string | null; readonly value: string } | null
  readonly headers: Readonly<Record<string, string>>
  /** JSON as a value. Null for no body */
  readonly body: unknown
}

/** Why a response is as it is, the settings that it depends on with their evidence, and a request that would succeed. */
export interface ResponseReasons {
  /** The id of the journal entry */
  readonly entry: number
  readonly status: number
  /** Why the response is as it is, in a sentence */
  readonly sentence: string
  /** What the operation ignored, such as `?serch, did you mean search?` */
  readonly ignored: readonly string[]
  /** The setting that decided a refusal. Null if none did, and for a success */
  readonly decided_by: Reason | null
  /** Those that the response depends on: first those that decided; for a success, the least certain one */
  readonly settings: readonly Reason[]
  /** The nearest request that succeeds now. Null for a response without an error, and if none is known */
  readonly would_succeed: SuggestedRequest | null
}

/** A response, its journal entry, or the id of the entry. */
export type ExplainedResponse = Response | Pick<JournalEntry, 'id'> | number

/** A setting that responses depended on, and why its values are believed. */
export interface ReportedSetting extends Pick<Reason, 'id' | 'evidence' | 'source'> {
  readonly question: string
  /** Its values when requests consulted it. Evidence and source are those of the least certain one */
  readonly values: readonly string[]
  /** How many requests consulted it */
  readonly requests: number
}

/** What the client of a run did wrong, and what the run depends on. */
export interface RunReport {
  readonly requests: number
  /** Requests that the journal no longer had, so that the report does not cover them */
  readonly not_covered: number
  /** Requests that no operation matches */
  readonly unmatched: number
  /** Responses that a fault affected */
  readonly faults: number
  readonly mistakes: readonly RequestFinding[]
  /** The settings that the run depends on: the least certain one first */
  readonly settings: readonly ReportedSetting[]
}
