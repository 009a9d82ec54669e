import { distance } from 'fastest-levenshtein'
import type { KeyRedactor } from '../journal/redact.ts'
import type { IncomingRequest } from './asked.ts'
import { findNextWrite } from './choose.ts'
import { diffRequest } from './differs.ts'
import { requestTitle, type TrackedRequest } from './recorded.ts'
import type { RequestCriteria } from './wanted.ts'

/** A recorded request beside one that is not recorded. */
export interface NearestRequest {
  /** Counted from 1 */
  readonly step: number
  readonly title: string
  /** In what they differ, a line for each place: `query.search: expected "a", got "b"` */
  readonly differences: readonly string[]
}

/** A request that is not recorded, or not now. */
export interface UnexpectedRequest {
  readonly method: string
  /** With its query, without keys */
  readonly path: string
  /** Null where nothing is recorded */
  readonly nearest: NearestRequest | null
}

/** Comparing paths costs the square of their length. */
const maxPathLength = 200

/** The recorded request that comes nearest to one that is not recorded, and why it is not that one. */
export function findNearestRecorded(
  recorded: readonly TrackedRequest[],
  asked: IncomingRequest,
  wantedOf: (recorded: TrackedRequest) => RequestCriteria,
  redactor: KeyRedactor,
): NearestRequest | null {
  let least = Number.POSITIVE_INFINITY
  let found: { one: TrackedRequest; lines: string[] } | undefined
  for (const one of recorded) {
    const wanted = wantedOf(one)
    const lines = diffRequest(wanted, asked, redactor)
    // Of those that differ as much one that can still be asked is the likelier one.
    const far = lines.length + distanceTo(wanted, asked) + (one.asked > 0 ? 0.5 : 0)
    if (far >= least) continue
    least = far
    found = { one, lines }
  }
  if (!found) return null
  const { one, lines } = found
  const differences = lines.length > 0 ? lines : [explainOrder(one, recorded)]
  return { step: one.index + 1, title: requestTitle(one.step), differences }
}

/** Another path is further away than any number of other fields, another method than a few. */
function distanceTo({ method, path }: RequestCriteria, asked: IncomingRequest): number {
  const pathFar =
    path === asked.path
      ? 0
      : 100 + distance(path.slice(0, maxPathLength), asked.path.slice(0, maxPathLength))
  return pathFar + (method === asked.method ? 0 : 10)
}

function explainOrder(one: TrackedRequest, recorded: readonly TrackedRequest[]): string {
  const next = findNextWrite(recorded)
  if (one.asked > 0 || !next) return `times: expected it once, as it was recorded, got it again`
  return `order: expected step ${next.index + 1} before it (${requestTitle(next.step)}), got none`
}
