import type { Evidence } from '../../policies/policy.ts'
import type { Difference } from '../../utils/diff.ts'

/** What came of a replay. */
export interface ReplayResult {
  readonly title: string
  /** Whether everything was as expected, and nothing was left out for want of a saved value */
  readonly held: boolean
  /** Where it was replayed */
  readonly base_url: string
  readonly ms: number
  /** Those that were run, and those that could not be */
  readonly steps: readonly StepResult[]
}

/** What came of a step. */
export interface StepResult {
  /** Counted from 1 */
  readonly step: number
  /** Its title, or what it does */
  readonly title: string
  /**
   * `held` as expected; `differed`; `skipped` as a value it needs was not saved; `prepared` where it was only
   * carried out for the one after it
   */
  readonly outcome: 'held' | 'differed' | 'skipped' | 'prepared'
  readonly ms: number
  /** Null for a change of the world, and where nothing was sent */
  readonly request: { readonly method: string; readonly url: string } | null
  /** Null where there was none */
  readonly answer: StepResponse | null
  readonly differences: readonly StepDifference[]
  /**
   * Those that decide a difference, of the first one only: with another setting the step is as expected. Any one
   * of them where it does alone, else all of them together
   */
  readonly decided_by: readonly DecidingPolicy[]
  /** The ids of all policies that the answer came from, where it differed and they are known */
  readonly policies: readonly string[]
}

/** What was answered. */
export interface StepResponse {
  /** 0 for a connection that broke */
  readonly status: number
  /** The body, as it was sent */
  readonly text: string
}

/** A difference, and in which part of the step: `['expect', 'body', 'content']`. */
export interface StepDifference extends Difference {
  /** What it is about: `status`, `body.content`, `save.id` */
  readonly where: string
  /** Whether what was expected and what came are told in words, and are no values of the answer. */
  readonly inWords?: true
}

/** A policy by which an answer was not as expected. */
export interface DecidingPolicy {
  readonly id: string
  readonly setting: string | number
  /** The setting with which it is as expected */
  readonly would_be: string | number
  /** Whether this one alone makes the difference */
  readonly alone: boolean
  readonly evidence: Evidence
  readonly source: string
}
