import { waitOfThrottled } from '../http/throttle.ts'
import { detailOf } from '../utils/json.ts'
import { LatestMap } from '../utils/latest-map.ts'
import { type ClientRequest, isOverlapping } from './client-request.ts'
import { hasFailed } from './read-lists.ts'
import { type Breach, type ClientRule, readInSource, Watch, type WatchedRules } from './rule.ts'
import { isSameValue } from './stored-fields.ts'
import { undoneChange } from './updates.ts'

/** With so many seconds in between, requests are polls: a page goes on with them through an outage. */
const pollSeconds = 5

/** How many failures in a row are too many. */
const maxFailures = 20

/** How many are too many with pauses below so many milliseconds. */
const unpaused = { times: 10, milliseconds: 100 }

/** How many equal refusals in a row are too many, and how many 404s, since a row can appear. */
const refusals = { times: 3, missing: 10 }

const earlyRetry: ClientRule = {
  id: 'early-retry',
  title: 'The client did not wait as long as a refusal said',
  sentence:
    'A client retried before the `Retry-After` of a 429 or 503; or, if only a text names a time, at once, in even pauses below 1 s, or (a note) before a quarter of it. It is a note if two others got a 429.',
  cure: 'Wait as long as Retry-After, or the sentence in `detail`, says. A test that replaces the wait advances the clock of the simulator instead.',
  level: 'warning',
  ...readInSource,
}

const endlessRetry: ClientRule = {
  id: 'endless-retry',
  title: 'The client repeated a failed request without end',
  sentence: `A request that got no response, a 429 or a 5xx was sent ${maxFailures} times in a row, less than ${pollSeconds} seconds apart, or ${unpaused.times} times with pauses below ${unpaused.milliseconds} ms on a running clock. Not after the wait that a refusal names.`,
  cure: 'Wait longer after each failure, and give up after a few.',
  level: 'warning',
  ...readInSource,
}

const repeatedRefusal: ClientRule = {
  id: 'repeated-refusal',
  title: 'The client repeated a request that was refused',
  sentence: `The same request got the same 4xx ${refusals.times} times, a 404 ${refusals.missing} times, less than ${pollSeconds} seconds apart, without a success in between, the 401s or 403s of a GET whose key worked before at any distance. Not a 405 or 429.`,
  cure: 'Do not repeat a request that is refused: change it, use another key, or show the error.',
  level: 'note',
  ...readInSource,
}

/** A timer may be this much too early. */
const toleranceMs = 50

class EarlyRetries extends Watch {
  /** By the name of the request: the latest refusal with a time to wait, if it was not sent again */
  readonly #waiting = new LatestMap<string, ClientRequest>()
  /** By the same name: how long the client paused before it, in milliseconds */
  readonly #pauses = new LatestMap<string, number>()

  see(request: ClientRequest): void {
    if (this.#waiting.size === 0 && !isPutOff(request)) return
    const { client, status } = request
    const name = nameOf(request)
    const last = this.#waiting.get(name)
    this.#waiting.delete(name)
    const pause = last ? request.record.at - last.record.at : 0
    const isEven = pause < 1_000 && pause < 1.25 * (this.#pauses.get(name) ?? 0)
    this.#pauses.set(name, pause)
    if (last && isSentEarly(last, request, isEven)) this.#report([last, request], name)
    else if (last && isSentEarly(last, request, pause < waitOf(last) / 4))
      this.#report([last, request], name, 'note')
    else if (status === 429) {
      const served = this.history.before?.record.id ?? 0
      const isOwn = (other: ClientRequest) => other.client === client && other.record.id > served
      const early = [...this.#waiting.values()].filter(
        (other) => isOwn(other) && !isUnpaused(other, request) && isSentEarly(other, request),
      )
      // Who sends a second request, or many at once, may not know yet that the wait is one of the key.
      if (early.length > 1) this.#report([...early, request], client, 'note')
    }
    if (waitOf(request) > 0) this.#waiting.set(name, request)
  }

  /** @param requests the refused ones, and the one that came too early */
  #report(requests: readonly ClientRequest[], subject: string, level?: 'note') {
    const [refused, again] = [requests[0], requests.at(-1)] as [ClientRequest, ClientRequest]
    const times = [waitOf(refused), again.record.at - refused.record.at]
    const [wait, waited] = times.map((milliseconds) => `${Math.round(milliseconds) / 1_000} s`)
    const message = `The ${refused.status} says to wait ${wait}. The client sent a request ${waited} after the refused one.`
    this.report({ rule: earlyRetry, subject, message, requests, ...(level && { level }) })
  }
}

export const earlyRetryRules: WatchedRules = { Watch: EarlyRetries, rules: [earlyRetry] }

/** Whether a request was sent after the response to another one, and before the time that it names. */
function isSentEarly(last: ClientRequest, request: ClientRequest, isSoon = false) {
  if (isOverlapping(last, request) || !isEarly(last, request)) return false
  const waited = request.record.at - last.record.at
  // The standard names the header. A client that does not read the text may back off as it likes.
  const isHasty = isSoon || waited < unpaused.milliseconds
  if (!isHasty && !('retry-after' in last.record.response.headers)) return false
  return request.record.isTimed || waited > last.record.ms
}

/** Finds equal requests that fail in the same way, soon after each other. */
class Streaks extends Watch {
  /** By the name of the request */
  readonly #failing = new LatestMap<string, ClientRequest[]>()
  /** By client, then by the name of the request */
  readonly #refused = new LatestMap<string, LatestMap<string, ClientRequest[]>>()
  /** Streaks that are long enough */
  readonly #found = new Map<readonly ClientRequest[], ClientRule>()

  see(request: ClientRequest): void {
    const { client, status } = request
    if (hasFailed(request)) this.#add(endlessRetry, this.#failing, request)
    else if (this.#failing.size > 0) {
      const name = nameOf(request)
      this.#checkOrder(request, this.#failing.get(name)?.at(-1))
      this.#failing.delete(name)
    }
    if (status >= 400 && status < 500 && status !== 405 && status !== 429) {
      const streaks = this.#refused.get(client) ?? new LatestMap<string, ClientRequest[]>()
      this.#refused.set(client, streaks)
      this.#add(repeatedRefusal, streaks, request)
    } else if (status > 0 && status < 400) this.#refused.delete(client)
  }

  override breaches(): readonly Breach[] {
    const breaches = [...this.#found].map(([requests, rule]) => {
      const [first] = requests as [ClientRequest]
      const { isLost, status, reason } = first
      // A number that grows would make it another message each time.
      const message =
        rule === repeatedRefusal
          ? `The client sent the same request ${requests.length} times without success. It got ${reason.replace(/\.$/, '')}.`
          : `The client sent the same request again and again. Each one failed, and the first one got ${isLost ? 'no complete response' : `a ${status}`}.`
      return { rule, subject: nameOf(first), message, requests }
    })
    return [...breaches, ...super.breaches()]
  }

  /** Finds an update that failed, and succeeds right after a newer one of the same fields. */
  #checkOrder(request: ClientRequest, failed: ClientRequest | undefined) {
    const { before } = this.history
    const { path, row, changes } = request
    if (!failed || !row || before?.path !== path || before.record.id <= failed.record.id) return
    const isUndone = (name: string) =>
      isSameValue(changes[0]?.valuesOf(name)?.[0], before.fields[name])
    const fields = Object.keys(before.fields).filter(isUndone)
    if (fields.length === 0) return
    const message = `The client sent an older update of ${row.title} again, which had failed. It undid ${fields.join(', ')} of a newer one.`
    const cure = 'Of values that are to be sent again, keep the newest of each field.'
    const requests = [failed, before, request]
    this.report({ rule: undoneChange, level: 'note', message, cure, requests })
  }

  #add(rule: ClientRule, streaks: Map<string, ClientRequest[]>, request: ClientRequest) {
    const name = nameOf(request)
    const former = streaks.get(name)
    const last = former?.at(-1)
    const requests = former && last && this.#isNext(rule, last, request) ? former : []
    streaks.set(name, requests)
    requests.push(request)
    const latest = requests.slice(-unpaused.times)
    const isTight = latest.every((sent, at) => isUnpaused(latest[at - 1] ?? sent, sent))
    const maxTimes = isTight ? unpaused.times : maxFailures
    const maxRefusals = request.status === 404 ? refusals.missing : refusals.times
    const limit = rule === endlessRetry ? maxTimes : maxRefusals
    if (requests.length >= limit) this.#found.set(requests, rule)
  }

  #isNext(rule: ClientRule, last: ClientRequest, request: ClientRequest) {
    const { status, client, record } = request
    const isSoon = Math.abs(record.at - last.record.at) < pollSeconds * 1_000
    if (rule === endlessRetry) return isSoon && !(waitOf(last) > 0 && !isEarly(last, request))
    if (last.reason !== request.reason || isOverlapping(last, request)) return false
    // A page that polls with a key that worked before, and not a health check, which wants the refusal.
    const isDenied = record.method === 'GET' && (status === 401 || status === 403)
    return isSoon || (isDenied && this.history.hasSucceeded(client))
  }
}

export const streakRules: WatchedRules = { Watch: Streaks, rules: [endlessRetry, repeatedRefusal] }

/** Whether a request followed another one, or its response, at once. */
function isUnpaused(last: ClientRequest, { record: { isTimed, at } }: ClientRequest) {
  const pause = Math.min(at - last.record.at, Math.abs(at - last.until))
  return isTimed && pause < unpaused.milliseconds
}

function nameOf(request: ClientRequest) {
  const { client, address, record, isSentKept, sentBytes } = request
  const body = isSentKept ? JSON.stringify(request.fields) : sentBytes
  return `${client} ${record.method} ${address} ${body}`
}

/** Whether a request came before the wait that the response to the last one names. */
function isEarly(last: ClientRequest, request: ClientRequest) {
  return request.record.at - last.record.at < waitOf(last) - toleranceMs
}

/** Whether a request was refused until a time: by a 429, or a 503 that says when to come again. */
function isPutOff({ status, record }: ClientRequest) {
  return status === 429 || (status === 503 && 'retry-after' in record.response.headers)
}

/** How long a refusal says to wait, in milliseconds. NaN for a response that does not say */
function waitOf(request: ClientRequest) {
  if (!isPutOff(request)) return Number.NaN
  const { at, response } = request.record
  const get = (name: string) => response.headers[name] ?? null
  return Number(waitOfThrottled({ headers: { get }, text: detailOf(request.received), at })) * 1_000
}
