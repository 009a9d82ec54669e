import type { Failure } from '../errors.ts'
import type { Answer, Call } from '../http/call.ts'
import type { Tables } from '../world/tables.ts'
import type { FaultEffect, FaultPhase } from './rule.ts'

/** A request that a fault disturbs, and the ways in which it can be answered. None of them throws. */
export interface Disturbed {
  readonly call: Call
  /** Carries the request out, as if there were no fault; called once or never. */
  commit(): Answer
  /** The service's answer to what it refuses. */
  refuse(failure: Failure): Answer
  /** Answers from other rows, which it leaves as they are. */
  recall(tables: Tables): Answer
}

/** A fault that is about to disturb one request. */
export interface AppliedFault {
  /** Of the rule. */
  readonly id: string
  readonly phase: FaultPhase
  readonly effect: FaultEffect
  /** @returns what is answered in place of the answer; it never rejects */
  disturb(request: Disturbed): Answer | Promise<Answer>
}
