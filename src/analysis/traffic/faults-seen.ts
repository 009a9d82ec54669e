import { defaultPhase, type FaultPhase, type FaultRule } from '../../sandbox/faults/rule.ts'
import type { Assumption } from './assumption.ts'
import type { RowHistory, UnansweredWrite } from './row-history.ts'
import type { Sighting } from './sighting.ts'

/**
 * The fault that a request met. Null if it met none.
 *
 * @param write what later responses say about a write without a response
 */
export function faultOf(sighting: Sighting, write?: UnansweredWrite): FaultRule | null {
  const { effect, operation } = sighting
  if (!effect) return null
  const phase = phaseOf(sighting, write)
  // Between the steps, only the next request can meet the fault. With an operation, it waits for its request.
  const pattern = operation === null ? {} : { operation }
  return { ...pattern, when: { times: 1 }, ...(phase && { phase }), effect }
}

/**
 * The faults that requests met, by the indexes of their exchanges. Later responses decide whether a write without a
 * response was carried out.
 */
export function collectFaults(
  sightings: readonly Sighting[],
  histories: readonly RowHistory[],
): { readonly faults: ReadonlyMap<number, FaultRule>; readonly assumptions: Assumption[] } {
  const writes = new Map<Sighting, UnansweredWrite>(
    histories.flatMap(({ unanswered }) => unanswered.map((write) => [write.sighting, write])),
  )
  const faults = new Map<number, FaultRule>()
  const assumptions: Assumption[] = []
  for (const sighting of sightings) {
    const { index, method, operation } = sighting
    const write = writes.get(sighting)
    const fault = faultOf(sighting, write)
    if (!fault) continue
    faults.set(index, fault)
    if (write?.wasCarriedOut === null && fault.phase === 'before') {
      assumptions.push({
        field: `requests[${index}].phase`,
        value: fault.phase,
        because: `No later response shows whether the service carried out ${method} ${operation}, whose response was lost.`,
      })
    }
  }
  return { faults, assumptions }
}

/** Undefined for the phase that the effect has by default. */
function phaseOf(
  { effect, lost, method }: Sighting,
  write: UnansweredWrite | undefined,
): FaultPhase | undefined {
  const isOnlySlow = effect !== null && Object.keys(effect).join() === 'delay_ms'
  if (isOnlySlow) return undefined
  if (effect && defaultPhase(effect) === 'mid-body') return undefined
  // The status arrived, so the request was carried out.
  if (lost?.arrived && method !== 'HEAD') return 'mid-body'
  if (lost?.arrived || write?.wasCarriedOut) return 'after-commit'
  return 'before'
}
