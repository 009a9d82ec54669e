import { distance } from 'fastest-levenshtein'
import type { Redactor } from '../journal/redact.ts'
import type { Asked } from './asked.ts'
import { nextWrite } from './choose.ts'
import { differsIn } from './differs.ts'
import { type Recorded, titleOf } from './recorded.ts'
import type { Wanted } from './wanted.ts'

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
const longest = 200

/** The recorded request that comes nearest to one that is not recorded, and why it is not that one. */
export function nearestRecorded(
  recorded: readonly Recorded[],
  asked: Asked,
  wantedOf: (recorded: Recorded) => Wanted,
  redactor: Redactor,
): NearestRequest | null {
  let least = Number.POSITIVE_INFINITY
  let found: { one: Recorded; lines: string[] } | undefined
  for (const one of recorded) {
    const wanted = wantedOf(one)
    const lines = differsIn(wanted, asked, redactor)
    // Of those that differ as much one that can still be asked is the likelier one.
    const far = lines.length + farness(wanted, asked) + (one.asked > 0 ? 0.5 : 0)
    if (far >= least) continue
    least = far
    found = { one, lines }
  }
  if (!found) return null
  const { one, lines } = found
  const differences = lines.length > 0 ? lines : [whyNotNow(one, recorded)]
  return { step: one.index + 1, title: titleOf(one.step), differences }
}

/** Another path is further away than any number of other fields, another method than a few. */
function farness({ method, path }: Wanted, asked: Asked): number {
  const pathFar =
    path === asked.path ? 0 : 100 + distance(path.slice(0, longest), asked.path.slice(0, longest))
  return pathFar + (method === asked.method ? 0 : 10)
}

function whyNotNow(one: Recorded, recorded: readonly Recorded[]): string {
  const next = nextWrite(recorded)
  if (one.asked > 0 || !next) return `times: expected it once, as it was recorded, got it again`
  return `order: expected step ${next.index + 1} before it (${titleOf(next.step)}), got none`
}
