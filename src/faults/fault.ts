import type { Answer } from '../http/call.ts'

/** A fault that is about to disturb one request. */
export interface AppliedFault {
  /** Of the rule. */
  readonly id: string
  readonly phase: 'before' | 'after-commit' | 'mid-body'
  /**
   * @param commit answers the request as if there were no fault; called once or never
   * @returns what is answered in its place
   */
  disturb(commit: () => Answer): Answer | Promise<Answer>
}
