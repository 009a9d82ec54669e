import type { RequestFinding } from '../utils/reports/report.ts'
import type { Reason } from './response-reasons.ts'

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
