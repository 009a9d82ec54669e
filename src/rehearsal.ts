import type { AppliedFault } from './faults/fault.ts'
import type { Asked } from './faults/matching.ts'

/** Who may disturb the answers of a sandbox. */
export interface Disturbing {
  /** Whether nobody does, which is what most requests find. */
  readonly isEmpty: boolean
  /** The fault that disturbs a request, if one does. */
  take(asked: Asked): AppliedFault | null
}

/** Who may write after the requests to a sandbox. */
export interface Following {
  /** Whether nobody does, which is what most requests find. */
  readonly isEmpty: boolean
  /** Called when a request has been carried out, before its answer leaves. */
  after(asked: Asked): void
}

/** Nobody: until a simulator puts its faults and actors there. */
export const nobody: Disturbing & Following = { isEmpty: true, take: () => null, after() {} }
