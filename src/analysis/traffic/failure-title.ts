import type { FaultRequest } from '../../sandbox/faults/fault-request.ts'
import { defaultPhase, type FaultRule } from '../../sandbox/faults/rule.ts'
import { operationWords } from '../../scenarios/recording/step-title.ts'
import { countFailures, describeFailure, OwnDeletions, type RowRequest } from './failures.ts'
import type { Sighting } from './sighting.ts'

/**
 * Names what failed in traffic, such as `Create annotation: failed with 500, retried`. A failure that no later request
 * repaired comes first. Null if nothing failed.
 *
 * @param faults the faults that requests met, by the indexes of their exchanges
 */
export function titleOfFailures(
  sightings: readonly Sighting[],
  faults: ReadonlyMap<number, FaultRequest>,
): string | null {
  const open = new Set<string>()
  const retried = new Set<string>()
  const succeeded = new Set<string>()
  const deletions = new OwnDeletions()
  const ofDeletedRows = new Set(
    sightings.filter((one) => deletions.follow(toRowRequest(one, faults.get(one.index)))),
  )
  for (const sighting of sightings.toReversed()) {
    const { operation, method, params } = sighting
    if (operation === null || ofDeletedRows.has(sighting)) continue
    const request = JSON.stringify([method, operation, params])
    if (isOk(sighting)) {
      succeeded.add(request)
      continue
    }
    const words = `${operationWords(operation)}: ${describe(sighting, faults.get(sighting.index))}`
    if (succeeded.has(request)) retried.add(`${words}, retried`)
    else open.add(words)
  }
  // The requests were read from the last one to the first one.
  const failures = [...[...open].reverse(), ...[...retried].reverse()]
  return failures.length === 0 ? null : countFailures(failures)
}

function toRowRequest(sighting: Sighting, fault: FaultRequest | undefined): RowRequest {
  const { method, operation, params, status, sent, rows } = sighting
  const isCarriedOut =
    isOk(sighting) || (fault !== undefined && 'phase' in fault && fault.phase === 'after-commit')
  const isDeletion = operation === 'deletePlugin' || (rows[0] ?? sent)?.deleted === true
  return {
    ...{ method, status },
    row: JSON.stringify([/Annotation|Plugin/.exec(operation ?? '')?.[0], params]),
    isDeletion: isCarriedOut && isDeletion,
  }
}

function isOk({ status, lost }: Sighting): boolean {
  return status >= 200 && status < 400 && lost === null
}

function describe({ method, status, lost }: Sighting, fault: FaultRequest | undefined): string {
  const { effect, phase = effect && defaultPhase(effect) } = { ...fault } as Partial<FaultRule>
  const isCut = phase === 'mid-body'
  return describeFailure({
    ...{ method, status, isCut },
    isLost: status === 0 || lost !== null,
    isRefused: status < 500,
    wasWritten: method !== 'GET' && method !== 'HEAD' && (isCut || phase === 'after-commit'),
  })
}
