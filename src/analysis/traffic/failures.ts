import { operationWords } from '../../scenarios/recording/step-title.ts'
import { defaultPhase, type FaultRule } from '../../simulator/faults/fault.ts'
import type { FaultRequest } from '../../simulator/faults/schema.ts'
import type { Sighting } from './sighting.ts'

/** A request, and what became of it. */
export interface Attempt {
  readonly method: string
  /** The same for all requests about one row, such as their path */
  readonly row: string
  /** 0 for a lost response */
  readonly status: number
  readonly isLost: boolean
  /** Whether a part of the response arrived */
  readonly isCut: boolean
  /** Of a request that failed: whether the service refused it by its rules */
  readonly isRefused: boolean
  /** Of a request that failed: whether it wrote rows nevertheless */
  readonly wasWritten: boolean
  /** Whether the request deleted the row */
  readonly isDeletion: boolean
}

/** @example 'response lost after the write' */
export function describeFailure({ method, status, ...failed }: Attempt): string {
  const isRead = method === 'GET' || method === 'HEAD'
  const afterWrite = failed.wasWritten ? ' after the write' : ''
  if (failed.isLost) {
    if (failed.isCut) return `response cut off${afterWrite}`
    if (isRead) return 'response lost'
    return failed.wasWritten ? `response lost${afterWrite}` : 'connection lost before the write'
  }
  if (status === 429) return 'throttled'
  return failed.isRefused ? `refused with ${status}` : `failed with ${status}${afterWrite}`
}

/** The first failure, and how many more there are. @param failures clauses, at least one */
export function countFailures([first = '', ...others]: readonly string[]): string {
  const more = others.length === 1 ? 'one more failure' : `${others.length} more failures`
  return others.length === 0 ? first : `${first}, and ${more}`
}

/** Recognizes reads and deletions that find no row because the client itself had deleted it. They are no failures. */
export class OwnDeletions {
  readonly #deleted = new Set<string>()

  /**
   * Takes the requests in their order.
   *
   * @returns whether the request is one of these
   */
  follow({ method, row, status, isDeletion }: Attempt): boolean {
    if (isDeletion) this.#deleted.add(row)
    const wantsNoRow = method === 'GET' || method === 'HEAD' || method === 'DELETE'
    return wantsNoRow && status === 404 && this.#deleted.has(row)
  }
}

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
  const attemptOf = (one: Sighting): Attempt => toAttempt(one, faults.get(one.index))
  const ofDeletedRows = new Set(sightings.filter((one) => deletions.follow(attemptOf(one))))
  for (const sighting of sightings.toReversed()) {
    const { operation, method, params } = sighting
    if (operation === null || ofDeletedRows.has(sighting)) continue
    const request = JSON.stringify([method, operation, params])
    if (isOk(sighting)) {
      succeeded.add(request)
      continue
    }
    const words = `${operationWords(operation)}: ${describeFailure(attemptOf(sighting))}`
    if (succeeded.has(request)) retried.add(`${words}, retried`)
    else open.add(words)
  }
  // The requests were read from the last one to the first one.
  const failures = [...[...open].reverse(), ...[...retried].reverse()]
  return failures.length === 0 ? null : countFailures(failures)
}

function toAttempt(sighting: Sighting, fault: FaultRequest | undefined): Attempt {
  const { method, operation, params, status, lost, sent, rows } = sighting
  const rule = { ...fault } as Partial<FaultRule>
  const { effect, phase = effect && defaultPhase(effect) } = rule
  const isCut = effect?.cut_bytes !== undefined
  const isCarriedOut = isOk(sighting) || rule.phase === 'after-commit'
  return {
    ...{ method, status, isCut },
    row: JSON.stringify([/Annotation|Plugin/.exec(operation ?? '')?.[0], params]),
    isLost: status === 0 || lost !== null,
    isRefused: status < 500,
    wasWritten: method !== 'GET' && method !== 'HEAD' && phase === 'after-commit',
    isDeletion:
      isCarriedOut && (operation === 'deletePlugin' || (rows[0] ?? sent)?.deleted === true),
  }
}

function isOk({ status, lost }: Sighting): boolean {
  return status >= 200 && status < 400 && lost === null
}
