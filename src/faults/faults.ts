import type { Call } from '../http/call.ts'
import type { AppliedFault } from './fault.ts'

/** The rules that disturb answers in a sandbox. */
export class Faults {
  /** Whether there is no rule, which is what most requests find. */
  get isEmpty(): boolean {
    return true
  }

  /** The fault that disturbs a request, if one does. */
  take(_operation: string, _call: Call): AppliedFault | null {
    return null
  }
}
