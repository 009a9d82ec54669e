import type { SeenRow, Sighting } from './sighting.ts'

/** A sighting and the time at which the service processed its request, between its start and its end. */
interface Placed {
  readonly sighting: Sighting
  at: number
}

/**
 * Puts sightings in the order in which the service processed the requests. Requests that overlap are ordered by their
 * results: rows by their ids, and a read before or after a write by whether it shows the write. All others keep the
 * order in which they were sent.
 */
export function inProcessedOrder(sightings: readonly Sighting[]): Sighting[] {
  const placed = sightings
    .map((sighting): Placed => ({ sighting, at: sighting.from }))
    .sort(compare)
  orderCreates(placed)
  let active: Placed[] = []
  for (const next of placed) {
    active = active.filter(({ sighting }) => sighting.until > next.sighting.from)
    for (const earlier of active) orderPair(earlier, next)
    active.push(next)
  }
  return placed.sort(compare).map(({ sighting }) => sighting)
}

/** Requests of the same millisecond are in the order of the traffic. */
function compare(a: Placed, b: Placed): number {
  return a.at - b.at || a.sighting.index - b.sighting.index
}

/** Ids are counted up, so they show the order of overlapping creates. */
function orderCreates(placed: readonly Placed[]): void {
  for (const operation of ['createAnnotation', 'createPlugin']) {
    const creates = placed.filter(
      ({ sighting }) => sighting.operation === operation && sighting.rows.length > 0,
    )
    const idOf = ({ sighting }: Placed) => Number((sighting.rows[0] as SeenRow).id)
    creates.sort((a, b) => idOf(a) - idOf(b))
    for (const [index, create] of creates.entries()) {
      const before = creates[index - 1]
      if (before && compare(before, create) > 0 && create.sighting.until >= before.at) {
        create.at = before.at + step
      }
    }
  }
}

/** Less than a millisecond, so that it moves no request past one that was sent later. */
const step = 1e-3

/** Orders two requests that overlap, if one is a write and the other one read its row. */
function orderPair(one: Placed, other: Placed): void {
  const [write, read] = isWrite(one.sighting) ? [one, other] : [other, one]
  if (!isWrite(write.sighting) || isWrite(read.sighting)) return
  const shown = showsWrite(read.sighting, write.sighting)
  if (shown === null || shown === compare(read, write) > 0) return
  const [first, second] = shown ? [write, read] : [read, write]
  if (second.sighting.until >= first.at) second.at = first.at + step
}

function isWrite({ method, rows }: Sighting): boolean {
  return method !== 'GET' && method !== 'HEAD' && rows.length > 0
}

/** Whether a read shows the result of a write. Null if it does not tell. */
function showsWrite(read: Sighting, write: Sighting): boolean | null {
  const [row] = write.rows
  if (!row || kindOf(read) !== kindOf(write)) return null
  const seen = read.rows.find(({ id }) => id === row.id)
  if (seen && write.method === 'POST') return true
  if (seen === row) return true
  const [before, after] = [seen, row].map((each) => String(each?.updated_at))
  // A clock that stands still tells nothing.
  if (seen) return before === after ? null : (before as string) > (after as string)
  const isWholeList = read.list?.count === read.rows.length && read.list.search.length === 0
  return write.method === 'POST' && isWholeList && row.deleted !== true ? false : null
}

function kindOf({ operation }: Sighting): string | undefined {
  return /Annotation|Plugin/.exec(operation ?? '')?.[0]
}
