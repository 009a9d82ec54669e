import type { Step } from '../scenarios/format/scenario.ts'
import { withoutDelays } from '../simulator/faults/fault.ts'
import { parseFaultRequest } from '../simulator/faults/schema.ts'

/** A step whose fault does not delay responses: neither a search nor a test waits for slow ones. */
export function withoutDelay<S extends Step>(step: S): S {
  if (!('fault' in step)) return step
  const { fault } = step
  if ('effect' in fault)
    return { ...step, fault: { ...fault, effect: withoutDelays(fault.effect) } }
  const isSlow = parseFaultRequest(fault).every(({ rule }) => rule.effect.delay_ms !== undefined)
  return isSlow ? { ...step, fault: { effect: { delay_ms: 0 } } } : step
}
