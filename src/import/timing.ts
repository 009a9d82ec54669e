import type { SeenRequest, SeenRow } from '../mistakes/seen-request.ts'
import { isSameJson } from '../utils/json.ts'

/** A request and the time at which the service processed it, between its start and its end. */
interface Placed {
  readonly request: SeenRequest
  at: number
}

/**
 * Puts requests in the order in which they were sent. Overlapping creates of rows are in the order of their
 * ids, which are counted up.
 */
export function inProcessedOrder(requests: readonly SeenRequest[]): SeenRequest[] {
  const placed = requests
    .map((request): Placed => ({ request, at: request.record.at }))
    .sort(compare)
  for (const list of ['annotations', 'plugins']) {
    const creates = placed.filter(
      ({ request }) =>
        request.list === list && request.verb === 'create' && request.rows.length > 0,
    )
    const idOf = ({ request }: Placed) => Number((request.rows[0] as SeenRow).id)
    creates.sort((a, b) => idOf(a) - idOf(b))
    for (const [index, create] of creates.entries()) {
      const before = creates[index - 1]
      if (before && compare(before, create) > 0 && create.request.until >= before.at) {
        create.at = before.at + step
      }
    }
  }
  return placed.sort(compare).map(({ request }) => request)
}

/** Requests of the same millisecond are in the order of the traffic. */
function compare(a: Placed, b: Placed): number {
  return a.at - b.at || a.request.record.id - b.request.record.id
}

/** Less than a millisecond, so that it moves no request past one that was sent later. */
const step = 1e-3

/** How far the clock of the service is ahead of the client's, in milliseconds. It differs if a clock is frozen. */
export interface Skew {
  readonly least: number
  readonly median: number
  readonly most: number
}

/**
 * Measures the skew by the times of rows that requests wrote, since other rows are compared with them. A row that was seen
 * before was not written. Null if no request wrote any.
 */
export function measureSkew(requests: readonly SeenRequest[]): Skew | null {
  const seen = new Map<string, SeenRow>()
  const skews = requests.flatMap(({ record: { at }, list, rows, until, isWrite }) => {
    const nameOf = ({ id }: SeenRow) => `${list}/${id}`
    const shown = isWrite ? rows.slice(0, 1) : []
    const written = shown.filter((row) => !isSameJson(seen.get(nameOf(row)), row))
    for (const row of rows) seen.set(nameOf(row), row)
    return timesOf(written, ['updated_at']).map((time) => outside(time, at, until))
  })
  const [least] = skews.sort((a, b) => a - b)
  if (least === undefined) return null
  const median = skews[Math.floor(skews.length / 2)] as number
  return { least, median, most: skews.at(-1) as number }
}

/**
 * When the service processed the first request, by its own clock: milliseconds since 1970. Not before the latest time
 * that its response shows.
 *
 * @param skew that of the clock of the service, in milliseconds
 */
export function startOf(first: SeenRequest | undefined, skew: number): number {
  const shown = timesOf(first?.rows ?? [], ['created_at', 'updated_at'])
  return shown.reduce((latest, time) => Math.max(latest, time), (first?.record.at ?? 0) + skew)
}

function timesOf(rows: readonly SeenRow[], fields: readonly string[]): number[] {
  return rows.flatMap((row) =>
    fields.flatMap((field) => {
      const time = Date.parse(String(row[field]))
      return Number.isNaN(time) ? [] : time
    }),
  )
}

/** The distance of a time from a range. 0 within it. */
function outside(time: number, from: number, until: number): number {
  return time < from ? time - from : Math.max(0, time - until)
}

/** How long after a response a user may press the button again, in milliseconds. */
const pressedAgain = 10_000

/** In milliseconds: how long the first of two creates takes in a test. A second click comes sooner. */
const longestDelay = 250

/**
 * Finds the creates that a client sent a second time, before or soon after the response of the first one, and no other
 * write between them: a button was pressed twice. Three or more are rows that the client wanted.
 *
 * @returns how long a test delays the response of each, by the indexes of the first ones: milliseconds
 */
export function findDoubleCreates(requests: readonly SeenRequest[]): ReadonlyMap<number, number> {
  const writes = requests.filter(({ isWrite }) => isWrite)
  const isAgain = (first: SeenRequest, other: SeenRequest | undefined): boolean =>
    other?.status === 201 &&
    other.list === first.list &&
    isSameJson(other.sent, first.sent) &&
    other.record.at < first.until + pressedAgain
  const delays = new Map<number, number>()
  for (const client of new Set(writes.map(({ client }) => client))) {
    const own = writes.filter((write) => write.client === client)
    for (const [at, first] of own.entries()) {
      if (first.verb !== 'create' || first.status !== 201) continue
      const [before, second, third] = [own[at - 1], own[at + 1], own[at + 2]]
      const isThird = second && isAgain(second, third)
      if (!second || !isAgain(first, second) || isThird) continue
      if (before?.verb === 'create' && isAgain(before, first)) continue
      const isBefore = second.record.at < first.until
      delays.set(first.record.id, isBefore ? Math.min(first.record.ms, longestDelay) : 0)
    }
  }
  return delays
}
