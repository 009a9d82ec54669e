import type { Evidence } from '../../policies/policy.ts'
import type { Difference } from '../../utils/diff.ts'

/** The result of a replay. */
export interface ReplayResult {
  readonly title: string
  /** Whether all steps passed: no step failed, and no step was skipped */
  readonly passed: boolean
  /** The base URL of the target */
  readonly base_url: string
  readonly ms: number
  /** The executed and the skipped steps */
  readonly steps: readonly StepResult[]
}

/** The result of a step. */
export interface StepResult {
  /** Counted from 1 */
  readonly step: number
  /** The title of the step, or a short description */
  readonly title: string
  /**
   * `passed`: as expected. `failed`: not as expected. `skipped`: a value that the step needs was not saved.
   * `prepared`: executed for a later step, but not compared
   */
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'prepared'
  readonly ms: number
  /** Null for a change of the world, and for a skipped step */
  readonly request: { readonly method: string; readonly url: string } | null
  /** Null if no request was sent */
  readonly response: StepResponse | null
  readonly differences: readonly StepDifference[]
  /**
   * The policies that decide the differences: with another setting of any one of them, or of all of them if `alone`
   * is false, the step passes. Only for the first step that differs
   */
  readonly decided_by: readonly DecidingPolicy[]
  /** The ids of all policies that the response used. Empty if the step passed, or if they are unknown */
  readonly policies: readonly string[]
}

/** A received response. */
export interface StepResponse {
  /** 0 if the connection broke */
  readonly status: number
  /** The body */
  readonly text: string
}

/** A difference. Its path leads to a part of the step: `['expect', 'body', 'content']`. */
export interface StepDifference extends Difference {
  /** The part that differs: `status`, `body.content`, `save.id` */
  readonly where: string
  /** Whether `expected` and `got` are descriptions, not values */
  readonly inWords?: true
}

/** A policy that decides whether a step passes. */
export interface DecidingPolicy {
  readonly id: string
  readonly setting: string | number
  /** The setting with which the step passes */
  readonly would_be: string | number
  /** Whether this policy decides alone. Otherwise all policies of the list must change */
  readonly alone: boolean
  readonly evidence: Evidence
  readonly source: string
}
