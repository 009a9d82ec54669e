import { isSuccess } from '../http/messages.ts'
import type { SeenRequest, SeenRow } from '../mistakes/seen-request.ts'
import { isSameJson } from '../utils/json.ts'
import { groupBy } from '../utils/latest-map.ts'
import { lacks } from './later-responses.ts'

/** Puts requests in the order in which they were sent, but for those that show another one. */
export function inProcessedOrder(requests: readonly SeenRequest[]): SeenRequest[] {
  const ofOneTime = groupBy(requests, ({ record }) => record.at)
  const sent = [...ofOneTime].sort(([a], [b]) => a - b).flatMap(([, own]) => inShownOrder(own))
  const order: SeenRequest[] = []
  let open: SeenRequest[] = []
  for (const request of sent) {
    open = open.slice(-maxOpen).filter(({ until }) => until >= request.record.at)
    const isLate = (other: SeenRequest) => isBefore(request, other)
    const late = open.filter((other) => {
      if (!isLate(other)) return false
      const later = order.slice(order.lastIndexOf(other) + 1)
      // In whole seconds, requests seem to overlap that do not.
      return !later.some((next) => !isLate(next) && isBefore(other, next))
    })
    for (const other of late) order.splice(order.lastIndexOf(other), 1)
    order.push(request, ...late)
    open = [...open.filter((other) => !late.includes(other)), request, ...late]
  }
  return order
}

/** Of more requests at once, the order is that of the file. */
const maxOpen = 100

/** Whether one of two requests shows that the service carried out the first one first. */
function isBefore(first: SeenRequest, second: SeenRequest) {
  return (sideOf(second, first) ?? 0) > 0 || (sideOf(first, second) ?? 0) < 0
}

/** Whether a request shows what a write did (1), what was before (-1), or neither (0). Null if nothing tells. */
export function sideOf(request: SeenRequest, write: SeenRequest): number | null {
  const { verb, row, rows, sent, list, status, isUpdate, parent } = write
  const [written] = rows
  const id = written?.id ?? row?.id
  const { rows: seen, row: named = null, isWrite } = request
  const isOther = named ? named.id !== id : isWrite && verb !== 'create'
  const isKnown = isSuccess(status) && (written !== undefined || verb === 'delete')
  if (isOther || !isKnown || !write.isWrite || request.list !== list) return 0
  if (verb === 'create' && named && isSuccess(request.status)) return 1
  if (isWrite && !named) return Math.sign(Number(seen[0]?.id) - Number(id)) || null
  const shown = seen.find((other) => other.id === id)
  if (written && shown && (isUpdate || isWrite)) {
    const [before = 0, after = before] = timesOf([written, shown], ['updated_at'])
    const isSame = Object.keys(sent).every((name) => isSameJson(shown[name], written[name]))
    return Math.sign(after - before) || (isSame && !isWrite ? 1 : null)
  }
  const isWhole = request.count === seen.length && request.terms.length === 0
  const lacksRow =
    isWhole || (list === 'plugins' && lacks(request, written ?? { id: Number(id) }, list))
  const isLacking = named ? request.status === 404 : lacksRow && request.parent === parent
  if (!(shown || isLacking) || isWrite || (isUpdate && !('deleted' in sent))) return null
  const isGone = verb === 'delete' || written?.deleted === true
  return isGone === (shown === undefined) ? 1 : -1
}

/** Requests of one time are in the order of the traffic, or backwards if that contradicts less. */
function inShownOrder(requests: readonly SeenRequest[]) {
  const backwards = requests.toReversed()
  return countContradictions(backwards) < countContradictions(requests) ? backwards : requests
}

/** How many requests show that they came before the one before them, or before the last write. */
function countContradictions(order: readonly SeenRequest[]) {
  let write: SeenRequest | undefined
  const shown = new Set<unknown>()
  return order.filter((request, at) => {
    const { list, rows, verb, isWrite } = request
    const before = [order[at - 1], write]
    const isLate = verb === 'create' && rows.some(({ id }) => shown.has(`${list}/${id}`))
    if (isWrite) write = request
    for (const { id } of rows) shown.add(`${list}/${id}`)
    return isLate || before.some((other) => other && isBefore(request, other))
  }).length
}

/** How far the clock of the service is ahead of the client's, in milliseconds. */
export interface Skew {
  readonly least: number
  readonly median: number
  readonly most: number
}

/** Measures the skew by the times of rows that requests wrote. Null if none did. */
export function measureSkew(requests: readonly SeenRequest[]): Skew | null {
  const seen = new Map<string, SeenRow>()
  const skews = requests.flatMap(({ record: { at }, list, rows, until, isWrite }) => {
    const nameOf = ({ id }: SeenRow) => `${list}/${id}`
    const shown = isWrite ? rows.slice(0, 1) : []
    const written = shown.filter((row) => !isSameJson(seen.get(nameOf(row)), row))
    for (const row of rows) seen.set(nameOf(row), row)
    return timesOf(written, ['updated_at']).map((time) =>
      time < at ? time - at : Math.max(0, time - until),
    )
  })
  const [least] = skews.sort((a, b) => a - b)
  if (least === undefined) return null
  const median = skews[Math.floor(skews.length / 2)] ?? least
  return { least, median, most: skews.at(-1) ?? least }
}

/** When the service processed the first request, by its own clock. @param skew in milliseconds */
export function startOf(first: SeenRequest, skew: number): number {
  const shown = timesOf(first.rows, ['created_at', 'updated_at'])
  return shown.reduce((latest, time) => Math.max(latest, time), first.record.at + skew)
}

function timesOf(rows: readonly SeenRow[], fields: readonly string[]) {
  return rows.flatMap((row) =>
    fields.flatMap((field) => {
      const time = Date.parse(String(row[field]))
      return Number.isNaN(time) ? [] : time
    }),
  )
}

/** How long after a response a user may press the button again, in milliseconds. */
const pressedAgain = 10_000

/** In milliseconds: how long the first of two creates takes in a test. */
const longestDelay = 250

/** Finds the creates that a client sent twice. @returns how long a test delays the first ones, in ms */
export function findDoubleCreates(requests: readonly SeenRequest[]): ReadonlyMap<number, number> {
  const rows = new Map(requests.flatMap((request) => request.rows.map((row) => [row.id, row])))
  const texts = new Set([...rows.values()].map(({ content, name }) => content ?? name))
  // A sanitizer that replaces each text makes all creates equal.
  if (texts.size === 1 && rows.size > 2) return new Map()
  const writes = requests.filter(({ isWrite }) => isWrite)
  const isAgain = (first: SeenRequest, other: SeenRequest | undefined) =>
    other?.status === 201 &&
    other.path === first.path &&
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
 * Finds updates of a row that a client sent with other values before its last one had the response.
 * @returns how long a test delays each that was carried out after a later one, in ms, and the ids of the others
 */
export function findUpdatesAtOnce(processed: readonly SeenRequest[]) {
  const delays = new Map<number, number>()
  const inOrder: number[] = []
  // In whole seconds, requests seem to overlap that do not.
  const rounding = processed.some(({ record }) => record.at % 1_000 > 0) ? 1 : 1_000
  const updates = processed.filter(({ isUpdate, status }) => isUpdate && isSuccess(status))
  for (const own of groupBy(updates, ({ client, path }) => `${client} ${path}`).values()) {
    for (const [index, { record, sent }] of own.entries()) {
      const before = own[index - 1]
      const values = before?.sent ?? {}
      const isOther = (name: string) => name in values && !isSameJson(values[name], sent[name])
      if (!before || !Object.keys(sent).some(isOther)) continue
      const { at } = before.record
      if (at > record.at) delays.set(record.id, Math.min(record.ms, longestUpdate))
      else if (record.at + rounding < before.until) inOrder.push(record.id)
    }
  }
  return { delays, inOrder }
}

/** Finds the requests that a client sent before it got the first 401 of its key. */
export function findRefusedAtOnce(requests: readonly SeenRequest[]): ReadonlyMap<number, number> {
  const refused = requests.filter(({ status, client }) => status === 401 && client !== '')
  const own = groupBy(refused, ({ client }) => client).values()
  const late = [...own].flatMap(([first, ...others]) =>
    others.filter(({ record }) => record.at < Number(first?.until)),
  )
  return new Map(late.map(({ record }) => [record.id, 0]))
}
