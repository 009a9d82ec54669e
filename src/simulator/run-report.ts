import type { RequestFinding } from '../utils/reports/report.ts'
import type { Reason } from './response-reasons.ts'

/** How a key was used. Keys of the same label and scopes are one. */
export interface KeyUse {
  /** Its label. Null for keys without one */
  readonly key: string | null
  /** Null for a key without a list of scopes, which may do everything */
  readonly scopes: readonly string[] | null
  /** The scopes that its operations require: `*` for one that only a key with full access may use */
  readonly used: readonly string[]
  /** Operations that the key may not use */
  readonly refused: readonly string[]
}

/** A setting that responses depended on, and why its values are believed. */
export interface ReportedSetting extends Pick<Reason, 'id' | 'evidence' | 'source'> {
  readonly question: string
  /** Its values when requests consulted it. Evidence and source are those of the least certain one */
  readonly values: readonly string[]
  /** How many requests consulted it */
  readonly requests: number
}

/** How a run used a key. */
export interface ReportedKey extends KeyUse {
  /** The scopes that the key has and did not use */
  readonly unused: readonly string[]
  /** Which scopes the key used */
  readonly sentence: string
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
  /** By the id of a rule: how many requests it did not judge, because their bodies were not kept */
  readonly not_checked: Readonly<Record<string, number>>
  /** The settings that the run depends on: the least certain one first */
  readonly settings: readonly ReportedSetting[]
  readonly keys: readonly ReportedKey[]
}
