import { type Exchange, findHeader } from '../http/exchange.ts'
import { waitOfThrottled } from '../http/throttle.ts'
import type { ChangeStep } from '../scenarios/format/scenario.ts'
import { maxFaultSeconds } from '../simulator/faults/fault.ts'
import type { Observation } from './observation.ts'

/** How long a service throttled requests, and how long the client waited. */
interface Throttling {
  /** How long each refusal lasts, in seconds, by the index of the first request that got it */
  readonly lasts: ReadonlyMap<number, number>
  /** The requests that came while an earlier refusal lasted: the index of the first one, by their own */
  readonly within: ReadonlyMap<number, number>
  /** Those of them that say another wait than the first one */
  readonly countdowns: ReadonlySet<number>
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
  const lasts = new Map<number, number>()
  const within = new Map<number, number>()
  const countdowns = new Set<number>()
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
      const first = exchanges[known.index] as Exchange
      if (refusalOf(exchange) !== refusalOf(first)) countdowns.add(index)
    } else if (seconds !== undefined) {
      const success = observations
        .slice(position + 1)
        .find((later) => `${later.key} ${later.operation}` === subject && later.status < 400)
      const lasting = Math.min(seconds, maxFaultSeconds) * 1_000
      const until = Math.min(from + lasting, success?.from ?? Number.POSITIVE_INFINITY)
      lasts.set(index, (until - from) / 1_000)
      open.push({ index, subject, from, until })
    }
    if (status === 429 || seconds !== undefined) {
      unrepeated.add(name)
      last = { from, at: now }
    }
  }
  return { lasts, within, countdowns, waits }
}

/** Equal requests have the same name: those with the same body. */
function nameOf({ key, method }: Observation, { url, request }: Exchange): string {
  return JSON.stringify([key, method, url, request.body])
}

function refusalOf({ response: { body, headers } }: Exchange): string {
  return JSON.stringify([body, findHeader(headers, 'retry-after')])
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
