import type { SeenRequest, SeenRow } from '../mistakes/seen-request.ts'
import { isSameJson } from '../utils/json.ts'
import { groupBy } from '../utils/latest-map.ts'

/** A request, its place among those that were sent, and the time at which the service processed it, between its start and its end. */
interface Placed {
  readonly request: SeenRequest
  readonly index: number
  at: number
}

/**
 * Puts requests in the order in which they were sent. Overlapping creates of rows are in the order of their ids, which are counted
 * up, and overlapping updates of a row in that of the times at which the responses say it was updated.
 */
export function inProcessedOrder(requests: readonly SeenRequest[]): SeenRequest[] {
  const ofOneTime = groupBy(requests, ({ record }) => record.at)
  const sent = [...ofOneTime.values()].flatMap(inShownOrder)
  const placed = sent
    .map((request, index): Placed => ({ request, index, at: request.record.at }))
    .sort(compare)
  const writes = placed.filter(
    ({ request: { list, isWrite, rows } }) =>
      isWrite && (list === 'annotations' || list === 'plugins') && rows.length > 0,
  )
  const nameOf = ({ request: { list, verb, rows } }: Placed): string =>
    verb === 'create' ? String(list) : `${list}/${rows[0]?.id}`
  const rankOf = ({ request: { verb, rows } }: Placed): number =>
    verb === 'create' ? Number(rows[0]?.id) : Date.parse(String(rows[0]?.updated_at))
  for (const group of groupBy(writes, nameOf).values()) {
    group.sort((a, b) => rankOf(a) - rankOf(b))
    for (const [index, write] of group.entries()) {
      const before = group[index - 1]
      if (before && compare(before, write) > 0 && write.request.until >= before.at)
        write.at = before.at + step
    }
  }
  return placed.sort(compare).map(({ request }) => request)
}

function compare(a: Placed, b: Placed): number {
  return a.at - b.at || a.index - b.index
}

/**
 * Requests of the same millisecond, or of an archive that has whole seconds or no times, are in the order of the traffic, or
 * backwards. If a write contradicts both, they are in the order of the times that their responses show.
 */
function inShownOrder(requests: readonly SeenRequest[]): readonly SeenRequest[] {
  if (requests.length === 1) return requests
  const latestOf = ({ isWrite, rows }: SeenRequest, end = Number.POSITIVE_INFINITY): number => {
    const times = timesOf(isWrite ? rows.slice(0, 1) : rows, ['created_at', 'updated_at'])
    return times.reduce((latest, time) => (time > end ? latest : Math.max(latest, time)), 0)
  }
  const writes = requests.filter(({ isWrite }) => isWrite)
  const end = writes.reduce((latest, write) => Math.max(latest, latestOf(write)), 0)
  /** One that shows no time came right after the one before it. */
  const timed = (order: readonly SeenRequest[]) => {
    let time = 0
    return order.map((request) => {
      time = latestOf(request, end) || time
      return { request, time }
    })
  }
  /** Whether no response shows the time of a later write. On a frozen clock, times are equal. */
  const isInOrder = (order: readonly SeenRequest[], least = 0): boolean => {
    let latest = 0
    return timed(order).every(({ request, time }) => {
      const isLater = time - latest >= least
      latest = Math.max(latest, time)
      return isLater || !request.isWrite
    })
  }
  if (isInOrder(requests)) return requests
  const backwards = requests.toReversed()
  if (isInOrder(backwards, 1)) return backwards
  return timed(requests)
    .sort((a, b) => a.time - b.time || Number(b.request.isWrite) - Number(a.request.isWrite))
    .map(({ request }) => request)
}

/** Less than a millisecond, so that it moves no request past one that was sent later. */
const step = 1e-3

/** How far the clock of the service is ahead of the client's, in milliseconds. It differs if a clock is frozen. */
export interface Skew {
  readonly least: number
  readonly median: number
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
  return { least, median: skews[Math.floor(skews.length / 2)] as number }
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
  for (const own of groupBy(writes, ({ client }) => client).values()) {
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

/** In milliseconds: how long an update takes in a test that another one overtook. */
const longestUpdate = 1_000

/**
 * Finds the updates that the service carried out after one of the same client that was sent later: the row keeps old values.
 *
 * @param processed in the order in which the service processed the requests
 * @returns how long a test delays each, by their indexes: milliseconds
 */
export function findOvertakenUpdates(
  processed: readonly SeenRequest[],
): ReadonlyMap<number, number> {
  const delays = new Map<number, number>()
  const updates = processed.filter(({ isUpdate, rows }) => isUpdate && rows.length > 0)
  for (const own of groupBy(updates, ({ client, path }) => `${client} ${path}`).values()) {
    for (const [index, { record, sent }] of own.entries()) {
      const { record: before, sent: values = {} } = own[index - 1] ?? {}
      const isOther = (name: string) => name in values && !isSameJson(values[name], sent[name])
      if (before && before.at > record.at && Object.keys(sent).some(isOther))
        delays.set(record.id, Math.min(record.ms, longestUpdate))
    }
  }
  return delays
}
