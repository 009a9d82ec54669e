import type { Step } from '../scenarios/scenario.ts'

/** Makes steps small, and large again: of a long recording they take the most memory. */
export interface Packing {
  pack(step: Step): unknown
  unpack(packed: unknown): Step
}

/** Steps that are kept as they are. */
export const noPacking: Packing = { pack: (step) => step, unpack: (packed) => packed as Step }
