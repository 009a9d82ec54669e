import type { JournalEntry } from '../../sandbox/journal/entry.ts'
import type { ClientRequest, RequestTrace } from './client-request.ts'
import {
  type ClientRule,
  RecentMap,
  type ReportMistake,
  type RequestWatcher,
  readInSource,
  Streak,
} from './rule.ts'

const failures = { times: 20, seconds: 60 }
const refusals = { times: 10, seconds: 10 }

export const earlyRetry: ClientRule = {
  id: 'early-retry',
  sentence:
    'A throttled request was repeated before the time that the 429 names. On a frozen clock no time passes, so nothing is reported.',
  cure: 'Wait as long as Retry-After, or the sentence in `detail`, says.',
  level: 'warning',
  ...readInSource,
}

export const endlessRetry: ClientRule = {
  id: 'endless-retry',
  sentence: `A request that got no response, a 429 or a 5xx was repeated ${failures.times} times within ${failures.seconds} seconds.`,
  cure: 'Wait longer after each failure, and give up after a few.',
  level: 'warning',
  ...readInSource,
}

const refusalStatuses = [400, 401, 403, 405, 406, 415]

export const repeatedRefusal: ClientRule = {
  id: 'repeated-refusal',
  sentence: `A request that was refused with ${refusalStatuses.slice(0, -1).join(', ')} or ${refusalStatuses.at(-1)} was repeated ${refusals.times} times within ${refusals.seconds} seconds.`,
  cure: 'Report the refusal, and correct the request or the key. Repeating it does not help.',
  level: 'warning',
  ...readInSource,
}

/** The failures of one request since its last success. */
interface Failures {
  readonly streak: Streak
  readonly rule: ClientRule
  readonly trace: RequestTrace
  /** When the latest one arrived, and how long its response took */
  readonly at: number
  readonly ms: number
  /** How long its response says to wait. NaN if it does not */
  readonly waitMs: number
}

/** A timer may be this much too early. */
const toleranceMs = 50

/** Finds requests that are repeated too early or too often. */
export class RetryWatcher implements RequestWatcher {
  readonly #failures = new RecentMap<Failures>(1_000)

  add(request: ClientRequest, report: ReportMistake): void {
    const { entry, address, client, at, trace } = request
    const { method, response } = entry
    const sent = `${entry.request.bytes} ${JSON.stringify(entry.request.body)}`.slice(0, 1_000)
    const key = `${client} ${method} ${address} ${sent}`
    const last = this.#failures.get(key)
    const waited = at - (last?.at ?? 0)
    if (last?.waitMs && waited > last.ms && waited < last.waitMs - toleranceMs) {
      const message = `The 429 says to wait ${toSeconds(last.waitMs)}. The client waited ${toSeconds(waited)}.`
      report(earlyRetry, key, message, [last.trace, trace])
    }
    const rule = brokenRule(response.status)
    if (!rule) {
      this.#failures.delete(key)
      return
    }
    const streak = last?.rule === rule ? last.streak : new Streak()
    this.#failures.set(key, { streak, rule, trace, at, ms: entry.ms, waitMs: readWait(response) })
    const repeated = streak.add(request, rule === endlessRetry ? failures : refusals)
    const reason =
      response.status === 0 ? 'without a response' : `with the status ${response.status}`
    const message = `The client repeated a request that ended ${reason}.`
    if (repeated.length > 0) report(rule, key, message, repeated)
  }
}

function brokenRule(status: number): ClientRule | null {
  if (status === 0 || status === 429 || status >= 500) return endlessRetry
  return refusalStatuses.includes(status) ? repeatedRefusal : null
}

function readWait({ status, headers, body }: JournalEntry['response']): number {
  const detail = String(Object(body).detail)
  const seconds = headers['retry-after'] ?? /available in (\d+) second/.exec(detail)?.[1]
  return status === 429 ? Number(seconds) * 1_000 : Number.NaN
}

function toSeconds(milliseconds: number): string {
  return `${Math.round(milliseconds) / 1_000} s`
}
