import { type Exchange, findHeader } from '../http/exchange.ts'
import { waitOfThrottled } from '../http/throttle.ts'
import type { ChangeStep } from '../scenarios/format/scenario.ts'
import { type FaultWhen, maxFaultSeconds } from '../simulator/faults/fault.ts'
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

/** How long a service throttled requests, and how long the client waited. */
interface Throttling {
  /** How long each refusal lasts, by the index of the first request that got it. `times` if an equal one succeeded sooner */
  readonly lasts: ReadonlyMap<number, FaultWhen>
  /** The requests that came while an earlier refusal lasted: the index of the first one, by their own */
  readonly within: ReadonlyMap<number, number>
  /** The time that passed before a request, as a step that advances the clock. By it, a replay shows whether the client waited */
  readonly waits: ReadonlyMap<number, ChangeStep>
}

/** A refusal that names a wait. Times are in milliseconds, by the clock of the client. */
interface Refusal {
  readonly index: number
  /** What it refuses: the requests of a key to an operation */
  readonly subject: string
  readonly from: number
  readonly until: number
}

/**
 * A 429, and a 503 with `Retry-After`, lasts until its wait is over, or until an equal operation succeeds before that.
 *
 * @param observations in their order
 * @param exchanges those of the observations, by their indexes
 */
export function measureThrottling(
  observations: readonly Observation[],
  exchanges: readonly Exchange[],
): Throttling {
  const lasts = new Map<number, FaultWhen>()
  const within = new Map<number, number>()
  const waits = new Map<number, ChangeStep>()
  let open: Refusal[] = []
  /** When the request was sent that was throttled last, by the recording and by the replay */
  let last: { readonly from: number; readonly at: number } | null = null
  /** Throttled requests that were not sent again */
  const unrepeated = new Set<string>()
  let now = 0
  for (const [position, observation] of observations.entries()) {
    const { index, from, status } = observation
    const exchange = exchanges[index] as Exchange
    const name = nameOf(observation, exchange)
    if (last && (open.length > 0 || unrepeated.has(name))) {
      const waited = from - last.from - (now - last.at)
      if (waited > 0) waits.set(index, { advance: { seconds: waited / 1_000 } })
      now += Math.max(0, waited)
    }
    unrepeated.delete(name)
    open = open.filter(({ until }) => until > from)
    const subject = `${observation.key} ${observation.operation}`
    const known = open.find((refusal) => refusal.subject === subject)
    const seconds = waitOf(exchange)
    if (seconds !== undefined && known) {
      within.set(index, known.index)
      const { times, ...when } = lasts.get(known.index) as FaultWhen
      if (times !== undefined) lasts.set(known.index, { times: times + 1, ...when })
    } else if (seconds !== undefined) {
      const success = observations
        .slice(position + 1)
        .find((later) => `${later.key} ${later.operation}` === subject && later.status < 400)
      const lasting = Math.min(seconds, maxFaultSeconds) * 1_000
      const until = Math.min(from + lasting, success?.from ?? Number.POSITIVE_INFINITY)
      lasts.set(index, { ...(until < from + lasting && { times: 1 }), for_s: lasting / 1_000 })
      open.push({ index, subject, from, until })
    }
    if (status === 429 || seconds !== undefined) {
      unrepeated.add(name)
      last = { from, at: now }
    }
  }
  return { lasts, within, waits }
}

/** Equal requests have the same name: those with the same body. */
function nameOf({ key, method }: Observation, { url, request }: Exchange): string {
  return JSON.stringify([key, method, url, request.body])
}

/** How long a response says to wait, in seconds. Undefined if it does not */
function waitOf({ response }: Exchange): number | undefined {
  const { status, body, headers } = response
  const get = (name: string): string | null => findHeader(headers, name)?.trim() ?? null
  if (status !== 429 && !(status === 503 && get('retry-after') !== null)) return undefined
  const text = body && 'text' in body ? body.text : ''
  const seconds = waitOfThrottled({ headers: { get }, text })
  return seconds === 0 ? undefined : seconds
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
