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

const brokenConnection: Omit<ReceivedResponse, 'headers'> = { status: 0, text: '', broken: true }

/** Whether a response is as recorded. */
export function matchesRecording(
  expected: ExpectedResponse | undefined,
  simulated: ReceivedResponse,
  saved: SavedValues,
): boolean {
  if (!expected) return true
  return compareResponse(expected, simulated, parseTextBody(simulated.text), saved).length === 0
}

/** Whether a response has the recorded status, so that its values can complete the recorded ones. */
export function hasExpectedStatus(
  { status }: ExpectedResponse,
  simulated: ReceivedResponse,
): boolean {
  return !simulated.broken && (status === undefined || matchesStatus(simulated.status, status))
}

/** Completes a recorded response with values of a simulated one. Recorded values take precedence. */
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
  const complete = (recorded: unknown, value: unknown, isExact = false): unknown =>
    valueCompleter(isExact, createPlaceholder)(fillValue(recorded, saved), value)
  const headers = new Headers(base.headers)
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    const completed = value === null ? undefined : complete(value, headers.get(name) ?? undefined)
    if (completed === undefined) headers.delete(name)
    else headers.set(name, String(completed))
  }
  const { status, broken } = base
  const { base64 } = expected
  if (base64 !== undefined) {
    const text = new TextDecoder().decode(decodeBase64(base64))
    return { status, headers, text, base64, broken }
  }
  const text = completeText(expected, base, complete)
  if (text !== '' && !headers.has('content-type')) headers.set('content-type', 'application/json')
  return { status, headers, text, broken }
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

function completeText(
  expected: ExpectedResponse,
  base: ReceivedResponse,
  complete: (recorded: unknown, simulated: unknown, isExact?: boolean) => unknown,
): string {
  if (expected.text !== undefined) return String(complete(expected.text, undefined))
  const part = 'exact_body' in expected ? 'exact_body' : 'body'
  if (!(part in expected)) return base.text
  const value = complete(expected[part], parseTextBody(base.text), part === 'exact_body')
  if (value === undefined) return ''
  const isJson = /json/.test(base.headers.get('content-type') ?? 'json')
  return typeof value === 'string' && !isJson ? value : JSON.stringify(value)
}

/**
 * Creates a function that completes a recorded value with a simulated one: fields that are not recorded, and values of
 * matchers. Recorded values take precedence.
 *
 * @param isExact whether the value has no other fields than the recorded ones
 * @example valueCompleter(false, createPlaceholder)({ id: { $match: 'id' }, content: 'Launch' }, { id: 9, content: 'Lunch', deleted: false })
 * // { id: 9, content: 'Launch', deleted: false }
 */
function valueCompleter(
  isExact: boolean,
  createPlaceholder: CreatePlaceholder,
): (recorded: unknown, simulated: unknown) => unknown {
  return function complete(recorded: unknown, simulated: unknown): unknown {
    const special = toSpecialValue(recorded)
    if (special?.keyword === '$literal') return special.value
    if (special) {
      if (diffWithMatchers(recorded, simulated, isExact).length === 0) return simulated
      return special.keyword === '$match' ? createPlaceholder(String(special.value)) : simulated
    }
    if (Array.isArray(recorded)) {
      const items = Array.isArray(simulated) ? simulated : []
      return recorded.map((item, index) =>
        complete(item, simulatedItem(item, index, items, recorded.length)),
      )
    }
    if (!isObject(recorded)) return recorded
    const base = isObject(simulated) ? simulated : {}
    const fields = Object.entries(recorded).map(([name, inner]): [string, unknown] => [
      name,
      complete(inner, Object.hasOwn(base, name) ? base[name] : undefined),
    ])
    const entries = new Map(isExact ? fields : [...Object.entries(base), ...fields])
    return Object.fromEntries([...entries].filter(([, value]) => value !== undefined))
  }
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
    const values: Readonly<Record<string, unknown>> = {
      any: null,
      id: firstId + count,
      uuid: createUuid(seed, count),
      time: now(),
      text: `Text ${count}`,
      number: count,
      boolean: false,
      list: [],
      object: {},
    }
    return values[matcher]
  }
}

function createUuid(seed: number, count: number): string {
  const digits = [...randomText(seed, count, 32)]
    .map((letter) => (letter.charCodeAt(0) % 16).toString(16))
    .join('')
  const groups = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`]
  return [...groups, `8${digits.slice(17, 20)}`, digits.slice(20)].join('-')
}
