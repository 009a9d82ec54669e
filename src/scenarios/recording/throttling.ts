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

/** A refusal that names a wait. */
interface Refusal {
  readonly index: number
  readonly subject: string
  readonly from: number
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
  /** The requests that came while an earlier refusal lasted: the index of the first one, by their own */
  const within = new Map<number, number>()
  /** The time that passed before a request, as a step that advances the clock. By it, a replay shows whether the client waited */
  const waits = new Map<number, ChangeStep>()
  let open: Refusal[] = []
  /** When the request was sent that was throttled last, by the recording and by the replay */
  let last: { readonly from: number; readonly at: number } | null = null
  /** Throttled requests that were not sent again */
  const unrepeated = new Set<string>()
  let now = 0
  const exchangeOf = ({ id }: SentRequest) => exchanges[id] as Exchange
  /** What a refusal refuses: the requests of a key to an operation */
  const subjectOf = (request: SentRequest) =>
    `${exchangeOf(request).key ?? null} ${request.operation}`
  for (const [position, request] of requests.entries()) {
    const { id: index, at: from } = request
    const exchange = exchangeOf(request)
    const name = nameOf(exchange)
    if (last && (open.length > 0 || unrepeated.has(name))) {
      const waited = from - last.from - (now - last.at)
      if (waited > 0) waits.set(index, { advance: { seconds: waited / 1_000 } })
      now += Math.max(0, waited)
    }
    unrepeated.delete(name)
    open = open.filter(({ until }) => until > from)
    const subject = subjectOf(request)
    const known = open.find((refusal) => refusal.subject === subject)
    const seconds = waitOf(exchange)
    if (seconds !== undefined && known) {
      within.set(index, known.index)
      const { times, ...when } = lasts.get(known.index) as FaultWhen
      if (times !== undefined) lasts.set(known.index, { times: times + 1, ...when })
    } else if (seconds !== undefined) {
      const success = requests
        .slice(position + 1)
        .find((later) => subjectOf(later) === subject && exchangeOf(later).response.status < 400)
      const lasting = Math.min(seconds, maxFaultSeconds) * 1_000
      const until = Math.min(from + lasting, success?.at ?? Number.POSITIVE_INFINITY)
      lasts.set(index, { ...(until < from + lasting && { times: 1 }), for_s: lasting / 1_000 })
      open.push({ index, subject, from, until })
    }
    if (exchange.response.status === 429 || seconds !== undefined) {
      unrepeated.add(name)
      last = { from, at: now }
    }
  }
  return { lasts, within, waits }
}

/** Equal requests have the same name: those with the same body. */
function nameOf({ key, method, url, request }: Exchange): string {
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
