import { type Exchange, findHeader } from '../../http/exchange.ts'
import { waitOfThrottled } from '../../http/throttle.ts'
import { type FaultWhen, maxFaultSeconds } from '../../simulator/faults/fault.ts'
import type { ChangeStep } from '../format/scenario.ts'

/** A request of an exchange, and when it was sent: milliseconds, by the clock of the client or the world. */
interface SentRequest {
  /** The position of the exchange */
  readonly id: number
  readonly operation: string | null
  readonly at: number
}

interface Refusal {
  readonly index: number
  readonly kind: string
  readonly wait: number
  readonly until: number
}

/**
 * Measures how long a service throttled requests, and how long the client waited. A 429, and a 503 with `Retry-After`, lasts
 * until its wait is over, or until an equal operation succeeds before that.
 *
 * @param requests in their order
 * @param exchanges those of the requests, by their indexes
 */
export function measureThrottling(
  requests: readonly SentRequest[],
  exchanges: readonly Exchange[],
) {
  /** How long each refusal lasts, by the index of the first request that got it. `times` if an equal one succeeded sooner */
  const lasts = new Map<number, FaultWhen>()
  /** The index of the first request that got a refusal, by those of the later ones */
  const within = new Map<number, number>()
  /** The time before a request, as a step for the clock, by which a replay shows whether the client waited */
  const waits = new Map<number, ChangeStep>()
  let open: Refusal[] = []
  /** When the last throttled request was sent, by the recording and by the replay */
  let last: { readonly from: number; readonly at: number } | null = null
  /** Requests that were throttled, or failed often, and were not sent again */
  const unrepeated = new Set<string>()
  let now = 0
  const exchangeOf = ({ id }: SentRequest) => exchanges[id] as Exchange
  /** What a refusal refuses: the requests of a key to an operation */
  const subjectOf = (request: SentRequest) =>
    `${exchangeOf(request).key ?? null} ${request.operation}`
  const names = requests.map((request) => nameOf(exchangeOf(request)))
  const failures = new Map<string, number>()
  for (const [position, request] of requests.entries()) {
    const name = names[position] as string
    if (hasFailed(exchangeOf(request))) failures.set(name, (failures.get(name) ?? 0) + 1)
  }
  const nextAt: number[] = []
  const latest = new Map<string, number>()
  for (const [back, { at }] of requests.toReversed().entries()) {
    const name = names.at(-1 - back) as string
    nextAt[requests.length - 1 - back] = latest.get(name) ?? 0
    latest.set(name, at)
  }
  for (const [position, request] of requests.entries()) {
    const { id: index, at: from } = request
    const exchange = exchangeOf(request)
    const name = names[position] as string
    if (last && (open.length > 0 || unrepeated.has(name))) {
      const waited = from - last.from - (now - last.at)
      if (waited > 0) waits.set(index, { advance: { seconds: waited / 1_000 } })
      now += Math.max(0, waited)
    }
    unrepeated.delete(name)
    open = open.filter(({ until }) => until > from)
    const subject = subjectOf(request)
    const wait = waitOf(exchange)
    const ends = from + wait
    const kind = `${exchange.response.status} ${subject}`
    // After a longer wait, a client that keeps this one would seem early. A timer may be early, too.
    const isKept = Number(nextAt[position]) > ends - 50
    const known = open.findLast(
      (first) => first.kind === kind && (first.wait === wait || (first.wait > wait && !isKept)),
    )
    if (wait > 0 && known) {
      within.set(index, known.index)
      const when = lasts.get(known.index) as FaultWhen
      if (when.times) lasts.set(known.index, { ...when, times: when.times + 1 })
    } else if (wait > 0) {
      const success = requests
        .slice(position + 1)
        .find((later) => subjectOf(later) === subject && exchangeOf(later).response.status < 400)
      const until = Math.min(ends, success?.at ?? ends)
      lasts.set(index, { ...(until < ends && { times: 1 }), for_s: wait / 1_000 })
      open.push({ index, kind, wait, until })
    }
    const isFailing = hasFailed(exchange) && Number(failures.get(name)) >= manyFailures
    if (exchange.response.status === 429 || wait > 0 || isFailing) {
      unrepeated.add(name)
      last = { from, at: now }
    }
  }
  return { lasts, within, waits }
}

/** Of so many equal requests that failed, the pauses tell whether the client repeats them without end. */
const manyFailures = 10

function hasFailed({ response: { status } }: Exchange) {
  return status === 0 || status >= 500
}

/** Equal requests have the same name: those with the same body. */
function nameOf({ key, method, url, request }: Exchange) {
  return JSON.stringify([key, method, url, request.body])
}

/** How long a response says to wait, in milliseconds. 0 if it does not */
function waitOf({ response }: Exchange) {
  const { status, body, headers } = response
  const get = (name: string): string | null => findHeader(headers, name)?.trim() ?? null
  if (status !== 429 && !(status === 503 && get('retry-after') !== null)) return 0
  const text = body && 'text' in body ? body.text : ''
  return Math.min(waitOfThrottled({ headers: { get }, text }) ?? 0, maxFaultSeconds) * 1_000
}
