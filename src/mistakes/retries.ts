import type { JournalEntry } from '../simulator/journal/entry.ts'
import { detailOf } from '../utils/json.ts'
import {
  type Breach,
  type CheckedRule,
  type ClientRequest,
  type ClientRule,
  readInSource,
} from './rule.ts'

/** How many failures in a row are too many, and how many seconds may be between two of them. */
const failures = { times: 20, seconds: 30 }

const earlyRetry: ClientRule = {
  id: 'early-retry',
  sentence:
    'A throttled request was repeated before the time that the 429 names, and the client had sent nothing else meanwhile that was not throttled, too. On a frozen clock no time passes, so nothing is reported.',
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

/** A timer may be this much too early. */
const toleranceMs = 50

/** A shorter wait than any client has: it did not wait, or a test replaced the wait. */
const noWaitMs = 100

function findEarlyRetries(requests: readonly ClientRequest[]): Breach[] {
  const throttled = new Set<string>()
  /** The latest throttled request by its name, if the client has sent nothing since that was not throttled */
  const waiting = new Map<string, ClientRequest>()
  return requests.flatMap((request): Breach[] => {
    const { client } = request
    const name = nameOf(request)
    const last = waiting.get(name)
    // A client that goes on with something else does not retry: it gave up, or is another test.
    if (!throttled.has(name) && request.entry.response.status !== 429) {
      for (const [each, { client: owner }] of waiting) if (owner === client) waiting.delete(each)
    }
    waiting.delete(name)
    if (waitOf(request) > 0) {
      throttled.add(name)
      waiting.set(name, request)
    }
    if (!last || !isEarly(last, request)) return []
    const waited = request.at - last.at
    // Requests that were sent before the response arrived do not ignore it.
    if (waited <= last.entry.ms) return []
    const message = `The 429 says to wait ${toSeconds(waitOf(last))}. The client waited ${toSeconds(waited)}.`
    return [{ subject: name, message, cure: cureOf(waited, request), requests: [last, request] }]
  })
}

function cureOf(waited: number, { test }: ClientRequest): string {
  const sentences = [
    earlyRetry.cure,
    ...(waited < noWaitMs
      ? ['A test that replaces the wait advances the clock of the simulator instead.']
      : []),
    ...(test === null
      ? ['If these are two tests, give each a sandbox, or send the header Understudy-Test.']
      : []),
  ]
  return sentences.join(' ')
}

function findEndlessRetries(requests: readonly ClientRequest[]): Breach[] {
  return equalRequests(requests)
    .flatMap(splitIntoStreaks)
    .flatMap((streak): Breach[] => {
      const enough = streak[failures.times - 1]
      if (!enough) return []
      const { status } = enough.entry.response
      const reason = status === 0 ? 'without a response' : `with the status ${status}`
      const message = `The client repeated a request that ended ${reason}.`
      return [{ subject: nameOf(enough), message, requests: streak }]
    })
}

/** Splits equal requests into failures that follow one another soon. */
function splitIntoStreaks(equal: readonly ClientRequest[]): ClientRequest[][] {
  const streaks: ClientRequest[][] = []
  equal.forEach((request, index) => {
    if (!isFailure(request)) return
    const last = equal[index - 1]
    const isNext =
      last !== undefined &&
      isFailure(last) &&
      Math.abs(request.at - last.at) <= failures.seconds * 1_000 &&
      !(waitOf(last) > 0 && !isEarly(last, request))
    if (isNext) streaks.at(-1)?.push(request)
    else streaks.push([request])
  })
  return streaks
}

/** The requests of each client that are equal. */
function equalRequests(requests: readonly ClientRequest[]): ClientRequest[][] {
  const byName = new Map<string, ClientRequest[]>()
  for (const request of requests) {
    const name = nameOf(request)
    const equal = byName.get(name) ?? []
    byName.set(name, equal)
    equal.push(request)
  }
  return [...byName.values()]
}

function nameOf({ client, address, entry }: ClientRequest): string {
  const { method, request } = entry
  return `${client} ${method} ${address} ${request.bytes} ${JSON.stringify(request.body)}`
}

function isFailure({ entry }: ClientRequest): boolean {
  const { status } = entry.response
  return status === 0 || status === 429 || status >= 500
}

/** Whether a request came before the wait that the response to the last one names. */
function isEarly(last: ClientRequest, request: ClientRequest): boolean {
  return request.at - last.at < waitOf(last) - toleranceMs
}

/** How long a response says to wait, in milliseconds. NaN if it does not. */
function waitOf({ entry }: ClientRequest): number {
  const { status, headers, body }: JournalEntry['response'] = entry.response
  const detail = detailOf(body)
  const seconds = headers['retry-after'] ?? /available in (\d+) second/.exec(detail)?.[1]
  return status === 429 ? Number(seconds) * 1_000 : Number.NaN
}

function toSeconds(milliseconds: number): string {
  return `${Math.round(milliseconds) / 1_000} s`
}

export const retryRules: readonly CheckedRule[] = [
  { rule: earlyRetry, find: findEarlyRetries },
  { rule: endlessRetry, find: findEndlessRetries },
]
