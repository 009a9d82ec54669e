import type { JournalSetting } from '../../simulator/journal/entry.ts'
import type { Difference } from '../../utils/diff.ts'

/** The result of a run. */
export interface RunResult {
  readonly title: string
  /** Whether all steps passed: no step failed, and no step was skipped */
  readonly passed: boolean
  readonly base_url: string
  readonly ms: number
  /** Set for a service other than Understudy, and for a server that was reached with `key` or `keys` */
  readonly external?: true
  /** The executed and the skipped steps */
  readonly steps: readonly StepResult[]
}

/** The result of a step. */
export interface StepResult {
  /** Counted from 1 */
  readonly step: number
  /** The title of the step, or a short description */
  readonly title: string
  /** `passed`: as expected. `failed`: not as expected. `skipped`: a value that the step needs was not saved */
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly ms: number
  /** Null for a change of the world, and for a skipped step */
  readonly request: { readonly method: string; readonly url: string } | null
  /** Null if no request was sent */
  readonly response: StepResponse | null
  readonly differences: readonly StepDifference[]
  /** Why the response is as it is, and what the operation ignored. Only of failed steps */
  readonly reasons?: readonly string[]
  /**
   * The settings that decide the differences: with another value of any one of them, or of all of them if `alone`
   * is false, the step passes
   */
  readonly decided_by: readonly DecidingSetting[]
  /** Why `decided_by` is empty although the response differs */
  readonly undecided?: Undecided
  /** The ids of all settings that the response used. Empty if the step passed, or if they are unknown */
  readonly settings: readonly string[]
}

/** A difference. Its path leads to a part of the step: `['expect', 'body', 'content']`. */
export interface StepDifference extends Difference {
  /** The part that differs: `status`, `body.content`, `save.id` */
  readonly where: string
  /** Whether `expected` and `got` are descriptions, not values */
  readonly inWords?: true
}

/** A received response. */
export interface StepResponse {
  /** 0 if the connection broke before it */
  readonly status: number
  /** The body. Empty if the connection broke */
  readonly text: string
}

/** A setting that decides whether a step passes. */
export interface DecidingSetting extends JournalSetting {
  /** The value with which the step passes */
  readonly would_be: string | number
  /** Whether this setting decides alone. Otherwise all settings of the list must change */
  readonly alone: boolean
}

/**
 * Why no setting is known that decides a difference:
 * - `fails_anyway` the step fails with every other value, too
 * - `may_follow` so it does, but an earlier change or request other than GET failed, too
 * - `foreign` the result is `external`: the service does not show its settings
 */
export interface Undecided {
  readonly why: 'fails_anyway' | 'may_follow' | 'foreign'
}
