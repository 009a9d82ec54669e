import { isSameJson } from '../utils/json.ts'
import type { Observation, SeenRow } from './observation.ts'

/** An observation and the time at which the service processed its request, between its start and its end. */
interface Placed {
  readonly observation: Observation
  at: number
}

/**
 * Puts observations in the order in which their requests were sent. Overlapping creates of rows are in the order of their
 * ids, which are counted up.
 */
export function inProcessedOrder(observations: readonly Observation[]): Observation[] {
  const placed = observations
    .map((observation): Placed => ({ observation, at: observation.from }))
    .sort(compare)
  for (const list of ['annotations', 'plugins']) {
    const creates = placed.filter(
      ({ observation }) =>
        observation.list === list && observation.verb === 'create' && observation.rows.length > 0,
    )
    const idOf = ({ observation }: Placed) => Number((observation.rows[0] as SeenRow).id)
    creates.sort((a, b) => idOf(a) - idOf(b))
    for (const [index, create] of creates.entries()) {
      const before = creates[index - 1]
      if (before && compare(before, create) > 0 && create.observation.until >= before.at) {
        create.at = before.at + step
      }
    }
  }
  return placed.sort(compare).map(({ observation }) => observation)
}

/** Requests of the same millisecond are in the order of the traffic. */
function compare(a: Placed, b: Placed): number {
  return a.at - b.at || a.observation.index - b.observation.index
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
export function measureSkew(observations: readonly Observation[]): Skew | null {
  const seen = new Map<string, SeenRow>()
  const skews = observations.flatMap(({ method, list, rows, from, until }) => {
    const nameOf = ({ id }: SeenRow) => `${list}/${id}`
    const written =
      method === 'GET'
        ? []
        : rows.slice(0, 1).filter((row) => !isSameJson(seen.get(nameOf(row)), row))
    for (const row of rows) seen.set(nameOf(row), row)
    return timesOf(written, ['updated_at']).map((time) => outside(time, from, until))
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
export function startOf(first: Observation | undefined, skew: number): number {
  const shown = timesOf(first?.rows ?? [], ['created_at', 'updated_at'])
  return shown.reduce((latest, time) => Math.max(latest, time), (first?.from ?? 0) + skew)
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
export function findDoubleCreates(
  observations: readonly Observation[],
): ReadonlyMap<number, number> {
  const writes = observations.filter(({ method }) => method !== 'GET' && method !== 'HEAD')
  const isAgain = (first: Observation, other: Observation | undefined): boolean =>
    other?.status === 201 &&
    other.list === first.list &&
    isSameJson(other.sent, first.sent) &&
    other.from < first.until + pressedAgain
  const delays = new Map<number, number>()
  for (const key of new Set(writes.map((write) => write.key))) {
    const own = writes.filter((write) => write.key === key)
    for (const [at, first] of own.entries()) {
      if (first.verb !== 'create' || first.status !== 201) continue
      const [before, second, third] = [own[at - 1], own[at + 1], own[at + 2]]
      const isThird = second && isAgain(second, third)
      if (!second || !isAgain(first, second) || isThird) continue
      if (before?.verb === 'create' && isAgain(before, first)) continue
      const isBefore = second.from < first.until
      delays.set(first.index, isBefore ? Math.min(first.until - first.from, longestDelay) : 0)
    }
  }
  return delays
}
