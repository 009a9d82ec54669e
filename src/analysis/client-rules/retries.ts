import type { JournalEntry } from '../../sandbox/journal/entry.ts'
import { detailOf } from '../../utils/foreign-json.ts'
import {
  type ClientRequest,
  type ClientRule,
  RecentMap,
  type ReportMistake,
  type RequestTrace,
  type RequestWatcher,
  type RuleGroup,
  readInSource,
  Streak,
} from './rule.ts'

const failures = { times: 20, seconds: 30 }
const refusals = { times: 15, seconds: 60 }
/** A client may wait for a row that does not exist yet. */
const missing = { times: 15, seconds: 0.5 }

const earlyRetry: ClientRule = {
  id: 'early-retry',
  sentence:
    'A throttled request was repeated before the time that the 429 names. On a frozen clock no time passes, so nothing is reported.',
  cure: 'Wait as long as Retry-After, or the sentence in `detail`, says.',
  level: 'warning',
  ...readInSource,
}

const endlessRetry: ClientRule = {
  id: 'endless-retry',
  sentence: `A request that got no response, a 429 or a 5xx was sent ${failures.times} times in a row, never with more than ${failures.seconds} seconds in between, and never after the wait that a 429 names.`,
  cure: 'Wait longer after each failure, and give up after a few.',
  level: 'warning',
  ...readInSource,
}

const refusalStatuses = [400, 401, 403, 405, 406, 415]

const repeatedRefusal: ClientRule = {
  id: 'repeated-refusal',
  sentence: `A request was refused ${refusals.times} times in a row for the same reason with ${refusalStatuses.slice(0, -1).join(', ')} or ${refusalStatuses.at(-1)}, never with more than ${refusals.seconds} seconds in between. Or it found no row ${missing.times} times, never with more than ${missing.seconds} seconds in between.`,
  cure: 'Report the refusal, and correct the request or the key. Repeating it does not help.',
  level: 'warning',
  ...readInSource,
}

/** The failures of one request since its last success. */
interface Failures {
  readonly streak: Streak
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
class RetryWatcher implements RequestWatcher {
  readonly #failures = new RecentMap<Failures>(1_000)
  readonly #refusals = new RecentMap<{ readonly reason: string; readonly streak: Streak }>(1_000)

  add(request: ClientRequest, report: ReportMistake): void {
    this.#countFailures(request, report)
    this.#countRefusals(request, report)
  }

  #countFailures(request: ClientRequest, report: ReportMistake): void {
    const { entry, address, client, at, trace } = request
    const { method, response } = entry
    const key = `${client} ${method} ${address} ${sentBody(entry)}`
    const last = this.#failures.get(key)
    const waited = at - (last?.at ?? 0)
    const isEarly = waited < (last?.waitMs ?? Number.NaN) - toleranceMs
    if (last?.waitMs && waited > last.ms && isEarly) {
      const message = `The 429 says to wait ${toSeconds(last.waitMs)}. The client waited ${toSeconds(waited)}.`
      report(earlyRetry, key, message, [last.trace, trace])
    }
    const { status } = response
    if (status > 0 && status !== 429 && status < 500) {
      this.#failures.delete(key)
      return
    }
    const hasWaited = last !== undefined && last.waitMs > 0 && !isEarly
    const streak = last && !hasWaited ? last.streak : new Streak()
    this.#failures.set(key, { streak, trace, at, ms: entry.ms, waitMs: readWait(response) })
    const repeated = streak.add(request, failures)
    if (repeated.length > 0) report(endlessRetry, key, describe(status), repeated)
  }

  #countRefusals(request: ClientRequest, report: ReportMistake): void {
    const { entry, address, client } = request
    const { status } = entry.response
    const own = `${client} ${entry.method} ${address}`
    // A key that is not accepted does not depend on the request.
    const key = status === 401 ? client : own
    if (status !== 404 && !refusalStatuses.includes(status)) {
      this.#refusals.delete(own)
      this.#refusals.delete(client)
      return
    }
    const reason = `${status} ${refusedInput(entry)}`
    const last = this.#refusals.get(key)
    const streak = last?.reason === reason ? last.streak : new Streak()
    this.#refusals.set(key, { reason, streak })
    const repeated = streak.add(request, status === 404 ? missing : refusals)
    if (repeated.length > 0) report(repeatedRefusal, key, describe(status), repeated)
  }
}

function describe(status: number): string {
  const reason = status === 0 ? 'without a response' : `with the status ${status}`
  return `The client repeated a request that ended ${reason}.`
}

/** The part of a body that was refused: one field, or all of it. Other refusals do not depend on the body. */
function refusedInput(entry: JournalEntry): string {
  if (entry.response.status !== 400) return ''
  const { attr } = Object(entry.response.body)
  const { body } = entry.request
  if (typeof attr !== 'string' || !Object.hasOwn(Object(body), attr)) return sentBody(entry)
  return `${attr} ${JSON.stringify(Object(body)[attr])}`.slice(0, maxBodyLength)
}

const maxBodyLength = 1_000

function sentBody({ request }: JournalEntry): string {
  return `${request.bytes} ${JSON.stringify(request.body)}`.slice(0, maxBodyLength)
}

function readWait({ status, headers, body }: JournalEntry['response']): number {
  const detail = detailOf(body)
  const seconds = headers['retry-after'] ?? /available in (\d+) second/.exec(detail)?.[1]
  return status === 429 ? Number(seconds) * 1_000 : Number.NaN
}

function toSeconds(milliseconds: number): string {
  return `${Math.round(milliseconds) / 1_000} s`
}

export const retryRules: RuleGroup = {
  rules: [earlyRetry, endlessRetry, repeatedRefusal],
  watch: () => [new RetryWatcher()],
}
