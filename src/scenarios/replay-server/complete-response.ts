import { decodeBase64 } from '../../http/exchange.ts'
import { Failure, failureFormats, failureResponse } from '../../http/failures.ts'
import { resolvePolicies } from '../../policies/settings.ts'
import { matchesStatus, type StatusFilter } from '../../sandbox/journal/filter.ts'
import { isObject } from '../../utils/json.ts'
import { randomText } from '../../utils/seeded-random.ts'
import { diffWithMatchers } from '../format/matchers.ts'
import type { ExpectedResponse } from '../format/scenario.ts'
import { fillValue, type SavedValues, toSpecialValue } from '../format/values.ts'
import { compareResponse, parseTextBody } from '../run/compare-response.ts'
import type { ReceivedResponse } from '../run/target.ts'

/** A connection that breaks in place of an answer. */
const brokenConnection: Omit<ReceivedResponse, 'headers'> = { status: 0, text: '', broken: true }

/** Whether an answer is already as it was recorded. */
export function matchesRecording(
  expected: ExpectedResponse | undefined,
  given: ReceivedResponse,
  saved: SavedValues,
): boolean {
  return (
    !expected || compareResponse(expected, given, parseTextBody(given.text), saved).length === 0
  )
}

/** Whether an answer can fill what a recorded one leaves open: it has the recorded status. */
export function hasExpectedStatus({ status }: ExpectedResponse, given: ReceivedResponse): boolean {
  return !given.broken && (status === undefined || matchesStatus(given.status, status))
}

/**
 * An answer as it was recorded, and what the recording leaves open as it was simulated. Recorded values win.
 *
 * @param given what was simulated
 */
export function completeResponse(
  expected: ExpectedResponse | undefined,
  given: ReceivedResponse,
  saved: SavedValues,
  make: CreatePlaceholder,
): ReceivedResponse {
  if (expected === undefined || matchesRecording(expected, given, saved)) return given
  if (expected.broken) return { ...brokenConnection, headers: new Headers() }
  const base = hasExpectedStatus(expected, given) ? given : fallbackResponse(expected.status)
  const headers = completeHeaders(expected, base, saved, make)
  const { base64 } = expected
  if (base64 !== undefined) return { status: base.status, headers, ...decodeBytes(base64) }
  const text = completeText(expected, base, saved, make)
  if (text !== '' && !headers.has('content-type')) headers.set('content-type', 'application/json')
  return { status: base.status, headers, text, broken: false }
}

/** What has the recorded status where the simulation has none: an error of the service, else an answer without a body. */
function fallbackResponse(wanted: StatusFilter = 200): ReceivedResponse {
  const status = Number(String(wanted).replace(/xx$/i, '00'))
  const known = Object.entries(failureFormats).find(([, form]) => form.status === status)
  if (!known || status < 400) return { status, headers: new Headers(), text: '', broken: false }
  const { text, headers } = failureResponse(
    new Failure(known[0] as keyof typeof failureFormats),
    resolvePolicies(),
  )
  return { status, headers: new Headers(headers), text, broken: false }
}

function completeHeaders(
  { headers: wanted = {} }: ExpectedResponse,
  base: ReceivedResponse,
  saved: SavedValues,
  make: CreatePlaceholder,
): Headers {
  const headers = new Headers(base.headers)
  for (const [name, value] of Object.entries(wanted)) {
    const made =
      value === null
        ? undefined
        : completeValue(fillValue(value, saved), headers.get(name) ?? undefined, false, make)
    if (made === undefined) headers.delete(name)
    else headers.set(name, String(made))
  }
  return headers
}

function decodeBytes(base64: string): Omit<ReceivedResponse, 'status' | 'headers'> {
  return { text: new TextDecoder().decode(decodeBase64(base64)), base64, broken: false }
}

function completeText(
  expected: ExpectedResponse,
  base: ReceivedResponse,
  saved: SavedValues,
  make: CreatePlaceholder,
): string {
  if (expected.text !== undefined) return String(fillValue(expected.text, saved))
  const part = 'exact_body' in expected ? 'exact_body' : 'body'
  if (!(part in expected)) return base.text
  const wanted = fillValue(expected[part], saved)
  const value = completeValue(wanted, parseTextBody(base.text), part === 'exact_body', make)
  if (value === undefined) return ''
  const isJson = /json/.test(base.headers.get('content-type') ?? 'json')
  return typeof value === 'string' && !isJson ? value : JSON.stringify(value)
}

/**
 * A value as it was recorded, and what the recording leaves open as it was simulated: fields that are not named,
 * and what matchers stand for. Recorded values win.
 *
 * @param isWhole whether it has no more fields than were recorded
 * @example completeValue({ id: { $match: 'id' }, content: 'Launch' }, { id: 9, content: 'Lunch', deleted: false }, false, make)
 * // { id: 9, content: 'Launch', deleted: false }
 */
function completeValue(
  wanted: unknown,
  given: unknown,
  isWhole: boolean,
  make: CreatePlaceholder,
): unknown {
  const special = toSpecialValue(wanted)
  if (special?.keyword === '$literal') return special.value
  if (special) {
    if (diffWithMatchers(wanted, given, isWhole).length === 0) return given
    return special.keyword === '$match' ? make(String(special.value)) : given
  }
  if (Array.isArray(wanted)) {
    const items = Array.isArray(given) ? given : []
    return wanted.map((item, index) =>
      completeValue(item, itemFor(item, index, items, wanted.length), isWhole, make),
    )
  }
  return isObject(wanted) ? completeObject(wanted, given, isWhole, make) : wanted
}

function completeObject(
  wanted: Record<string, unknown>,
  given: unknown,
  isWhole: boolean,
  make: CreatePlaceholder,
): Record<string, unknown> {
  const base = isObject(given) ? given : {}
  const own = (name: string): unknown => (Object.hasOwn(base, name) ? base[name] : undefined)
  const recorded = Object.entries(wanted).map(([name, inner]): [string, unknown] => [
    name,
    completeValue(inner, own(name), isWhole, make),
  ])
  const all = isWhole ? recorded : [...Object.entries(base), ...recorded]
  const entries = new Map(all)
  return Object.fromEntries([...entries].filter(([, value]) => value !== undefined))
}

/** The simulated item for a recorded one: in its place, or where the lists are not of one length one that is as recorded. */
function itemFor(item: unknown, index: number, given: readonly unknown[], length: number): unknown {
  if (given.length === length) return given[index]
  return given.find((one) => diffWithMatchers(item, one, false).length === 0) ?? given[index]
}

/** Makes values for what a recording leaves open and no simulation has. */
type CreatePlaceholder = (word: string) => unknown

/** Ids that are made begin here, above those that rows of a world get. */
const firstId = 1_000_001

/**
 * Makes values by the words of `{ "$match": … }`, the same ones in each run.
 *
 * @param now the time, ISO 8601
 * @returns undefined for a word that leaves nothing to make
 */
export function placeholderFactory(seed: number, now: () => string): CreatePlaceholder {
  let made = 0
  return (word) => {
    made += 1
    switch (word) {
      case 'any':
        return null
      case 'id':
        return firstId + made
      case 'uuid':
        return createUuid(seed, made)
      case 'time':
        return now()
      case 'text':
        return `Text ${made}`
      case 'number':
        return made
      case 'boolean':
        return false
      case 'list':
        return []
      case 'object':
        return {}
      default:
        return undefined
    }
  }
}

/** Of version 4, by its form. */
function createUuid(seed: number, count: number): string {
  const digits = [...randomText(seed, count, 32)]
    .map((letter) => (letter.charCodeAt(0) % 16).toString(16))
    .join('')
  const groups = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`]
  return [...groups, `8${digits.slice(17, 20)}`, digits.slice(20)].join('-')
}
