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

/** A connection that breaks before the response. */
const brokenConnection: Omit<ReceivedResponse, 'headers'> = { status: 0, text: '', broken: true }

/** Whether a response is as recorded. */
export function matchesRecording(
  expected: ExpectedResponse | undefined,
  simulated: ReceivedResponse,
  saved: SavedValues,
): boolean {
  return (
    !expected ||
    compareResponse(expected, simulated, parseTextBody(simulated.text), saved).length === 0
  )
}

/** Whether a response has the recorded status, so that its values can complete the recorded ones. */
export function hasExpectedStatus(
  { status }: ExpectedResponse,
  simulated: ReceivedResponse,
): boolean {
  return !simulated.broken && (status === undefined || matchesStatus(simulated.status, status))
}

/**
 * Completes a recorded response with values of a simulated one. Recorded values take precedence.
 */
export function completeResponse(
  expected: ExpectedResponse | undefined,
  simulated: ReceivedResponse,
  saved: SavedValues,
  createPlaceholder: CreatePlaceholder,
): ReceivedResponse {
  if (expected === undefined || matchesRecording(expected, simulated, saved)) return simulated
  if (expected.broken) return { ...brokenConnection, headers: new Headers() }
  const base = hasExpectedStatus(expected, simulated)
    ? simulated
    : fallbackResponse(expected.status)
  const headers = completeHeaders(expected, base, saved, createPlaceholder)
  const { base64 } = expected
  if (base64 !== undefined) return { status: base.status, headers, ...decodeBytes(base64) }
  const text = completeText(expected, base, saved, createPlaceholder)
  if (text !== '' && !headers.has('content-type')) headers.set('content-type', 'application/json')
  return { status: base.status, headers, text, broken: false }
}

/** Creates a response with the recorded status: an error of the service, or a response without a body. */
function fallbackResponse(recordedStatus: StatusFilter = 200): ReceivedResponse {
  const status = Number(String(recordedStatus).replace(/xx$/i, '00'))
  const failure = Object.entries(failureFormats).find(([, format]) => format.status === status)
  if (!failure || status < 400) return { status, headers: new Headers(), text: '', broken: false }
  const { text, headers } = failureResponse(
    new Failure(failure[0] as keyof typeof failureFormats),
    resolvePolicies(),
  )
  return { status, headers: new Headers(headers), text, broken: false }
}

function completeHeaders(
  { headers: recorded = {} }: ExpectedResponse,
  base: ReceivedResponse,
  saved: SavedValues,
  createPlaceholder: CreatePlaceholder,
): Headers {
  const headers = new Headers(base.headers)
  for (const [name, value] of Object.entries(recorded)) {
    const completed =
      value === null
        ? undefined
        : completeValue(
            fillValue(value, saved),
            headers.get(name) ?? undefined,
            false,
            createPlaceholder,
          )
    if (completed === undefined) headers.delete(name)
    else headers.set(name, String(completed))
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
  createPlaceholder: CreatePlaceholder,
): string {
  if (expected.text !== undefined) return String(fillValue(expected.text, saved))
  const part = 'exact_body' in expected ? 'exact_body' : 'body'
  if (!(part in expected)) return base.text
  const recorded = fillValue(expected[part], saved)
  const value = completeValue(
    recorded,
    parseTextBody(base.text),
    part === 'exact_body',
    createPlaceholder,
  )
  if (value === undefined) return ''
  const isJson = /json/.test(base.headers.get('content-type') ?? 'json')
  return typeof value === 'string' && !isJson ? value : JSON.stringify(value)
}

/**
 * Completes a recorded value with a simulated one: fields that are not recorded, and values of matchers. Recorded
 * values take precedence.
 *
 * @param isExact whether the value has no other fields than the recorded ones
 * @example completeValue({ id: { $match: 'id' }, content: 'Launch' }, { id: 9, content: 'Lunch', deleted: false }, false, createPlaceholder)
 * // { id: 9, content: 'Launch', deleted: false }
 */
function completeValue(
  recorded: unknown,
  simulated: unknown,
  isExact: boolean,
  createPlaceholder: CreatePlaceholder,
): unknown {
  const special = toSpecialValue(recorded)
  if (special?.keyword === '$literal') return special.value
  if (special) {
    if (diffWithMatchers(recorded, simulated, isExact).length === 0) return simulated
    return special.keyword === '$match' ? createPlaceholder(String(special.value)) : simulated
  }
  if (Array.isArray(recorded)) {
    const items = Array.isArray(simulated) ? simulated : []
    return recorded.map((item, index) =>
      completeValue(
        item,
        simulatedItem(item, index, items, recorded.length),
        isExact,
        createPlaceholder,
      ),
    )
  }
  return isObject(recorded)
    ? completeObject(recorded, simulated, isExact, createPlaceholder)
    : recorded
}

function completeObject(
  recorded: Record<string, unknown>,
  simulated: unknown,
  isExact: boolean,
  createPlaceholder: CreatePlaceholder,
): Record<string, unknown> {
  const base = isObject(simulated) ? simulated : {}
  const simulatedField = (name: string): unknown =>
    Object.hasOwn(base, name) ? base[name] : undefined
  const fields = Object.entries(recorded).map(([name, inner]): [string, unknown] => [
    name,
    completeValue(inner, simulatedField(name), isExact, createPlaceholder),
  ])
  const entries = new Map(isExact ? fields : [...Object.entries(base), ...fields])
  return Object.fromEntries([...entries].filter(([, value]) => value !== undefined))
}

/** The simulated item for a recorded one: at the same index, or a matching one if the lists differ in length. */
function simulatedItem(
  recorded: unknown,
  index: number,
  items: readonly unknown[],
  length: number,
): unknown {
  if (items.length === length) return items[index]
  return items.find((item) => diffWithMatchers(recorded, item, false).length === 0) ?? items[index]
}

/** Creates a value for a matcher without a simulated value. */
type CreatePlaceholder = (matcher: string) => unknown

/** Above the ids of the rows of a world. */
const firstId = 1_000_001

/**
 * Creates values for the matchers of `{ "$match": … }`. They are the same in each run.
 *
 * @param now returns the current time, ISO 8601
 * @returns a function that returns undefined for a matcher without a value, such as `absent`
 */
export function placeholderFactory(seed: number, now: () => string): CreatePlaceholder {
  let count = 0
  return (matcher) => {
    count += 1
    switch (matcher) {
      case 'any':
        return null
      case 'id':
        return firstId + count
      case 'uuid':
        return createUuid(seed, count)
      case 'time':
        return now()
      case 'text':
        return `Text ${count}`
      case 'number':
        return count
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

/** Creates a UUID of version 4. */
function createUuid(seed: number, count: number): string {
  const digits = [...randomText(seed, count, 32)]
    .map((letter) => (letter.charCodeAt(0) % 16).toString(16))
    .join('')
  const groups = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`]
  return [...groups, `8${digits.slice(17, 20)}`, digits.slice(20)].join('-')
}
