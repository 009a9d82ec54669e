import type { Evidence, SettingId } from '../settings/setting.ts'

/** What a server, or recorded traffic, shows of the settings. */
export interface Comparison {
  /** How many requests were compared. Of a server, how many were sent */
  readonly requests: number
  /** How many of their answers the best settings explain, and how many could be compared */
  readonly explained: number
  readonly compared: number
  readonly settings: readonly ComparedSetting[]
  readonly unexplained: readonly Unexplained[]
  /** What the reader of a result must know, in sentences */
  readonly notes: readonly string[]
  /** Rows that may be left in the server, in sentences */
  readonly left: readonly string[]
  /** Why the comparison ended early, as a sentence. Null if it ran to its end */
  readonly ended: string | null
}

/** A value, and what the answers say about it. */
export interface ComparedSetting {
  readonly id: SettingId
  readonly question: string
  /** The value that the answers show. Null if the value stays open */
  readonly value: string | number | null
  /** What the value means, as a sentence. Null if the value stays open */
  readonly meaning: string | null
  readonly evidence: Evidence | null
  /** The values of the two profiles */
  readonly documented: string | number
  readonly live: string | number
  /** Whether the value of each profile is known: the documentation says it, or the live service was seen so */
  readonly is_documented: boolean
  readonly is_observed: boolean
  /** The requests whose answers show it */
  readonly shown_by: readonly string[]
  /** Values that fit as well */
  readonly or: readonly (string | number)[]
  /** Why the value stays open, as a sentence. Null if it has a value */
  readonly open: string | null
  /** What would decide a value that stays open, as a sentence. Null if it has a value */
  readonly advice: string | null
}

/** Something in answers that no value explains. */
export interface Unexplained {
  /** The part of an answer: `status`, `header allow`, `field tags` */
  readonly part: string
  /** What the server answers, and what a simulator does with the best settings, in words */
  readonly got: string
  readonly simulated: string
  /** The requests whose answers show it */
  readonly requests: readonly string[]
}
