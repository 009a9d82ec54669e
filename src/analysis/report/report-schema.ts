import type { Evidence, SettingId } from '../../settings/setting.ts'
import type { ClientMistake } from '../client-rules/rule.ts'

/** A part of the API, and whether the run exercised it. */
export interface ReportItem {
  /** The id of its operation. Operations and settings have none */
  readonly operation?: string
  /** The id of an operation or a setting, or a status */
  readonly name: string
  readonly exercised: boolean
  /** How many requests exercised it */
  readonly requests: number
}

/** A setting, its values with their evidence, and whether a response could depend on it. */
export interface SettingItem extends ReportItem {
  readonly name: SettingId
  readonly question: string
  /** The settings under which requests consulted it. If none did, the current one */
  readonly settings: readonly string[]
  /** That of the least certain value */
  readonly evidence: Evidence
  /** The documentation, observation or assumption, in words */
  readonly source: string
}

/** How a run used a key. */
export interface KeyReport {
  /** Its label. Null for keys without one */
  readonly key: string | null
  /** Null for a key without a list of scopes, which may do everything */
  readonly scopes: readonly string[] | null
  /** A scope that was enough for each of its operations, as few as possible */
  readonly used: readonly string[]
  /** The scopes that the key has and did not use */
  readonly unused: readonly string[]
  /** Operations that the key may not use */
  readonly refused: readonly string[]
  /** Which scopes the key used */
  readonly sentence: string
}

/** What a run rests on: what it exercised of the API, what it never did, and the evidence for its settings. */
export interface RunReport {
  readonly requests: number
  /** Requests that the journal no longer had, so that the report does not cover them */
  readonly not_covered: number
  /** Requests that no operation matches */
  readonly unmatched: number
  /** Responses that a fault affected */
  readonly faults: number
  readonly operations: readonly ReportItem[]
  readonly statuses: readonly ReportItem[]
  readonly settings: readonly SettingItem[]
  readonly keys: readonly KeyReport[]
  /** What the client does that it should not */
  readonly mistakes: readonly ClientMistake[]
}
