import { failureResponse } from '../../http/failure-response.ts'
import { Failure, failureFormats } from '../../http/failures.ts'
import {
  type ApiResponse,
  bodyText,
  networkErrorResponse,
  sentHeaders,
} from '../../http/messages.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import { matchesStatus, type StatusFilter } from '../../simulator/journal/filter.ts'
import { isObject } from '../../utils/json.ts'
import { diffWithMatchers } from '../format/matching.ts'
import type { ExpectedResponse } from '../format/scenario.ts'
import { fillValue, type SavedValues, toSpecialValue } from '../format/values.ts'
import { compareResponse, parseTextBody } from '../run/run-steps.ts'

/** What completes a recorded response. */
interface Completion {
  /** With the base URL of the client, which links have */
  readonly saved: SavedValues
  /** The time of the simulator */
  readonly now: string
}

/** Completes a recorded response with values of a simulated one. Recorded values take precedence. */
export function completeResponse(
  expected: ExpectedResponse | undefined,
  simulated: ApiResponse,
  { saved, now }: Completion,
): ApiResponse {
  if (!expected) return simulated
  if (expected.broken) return simulated.cutAfter === undefined ? networkErrorResponse : simulated
  const { status } = simulated
  const headers = new Headers(sentHeaders(simulated))
  const live = { status, headers, text: bodyText(simulated.body), broken: status === 0 }
  const isAsRecorded = compareResponse(expected, live, parseTextBody(live.text), saved).length === 0
  const base = isAsRecorded || hasStatus(expected, live) ? live : bareResponse(expected.status)
  const complete = (recorded: unknown, value: unknown, isExact = false): unknown =>
    completeValue(fillValue(recorded, saved), value, isExact, now)
  const text = isAsRecorded ? base.text : completeText(expected, base, complete)
  for (const [name, value] of isAsRecorded ? [] : Object.entries(expected.headers ?? {})) {
    const completed =
      value === null ? undefined : complete(value, base.headers.get(name) ?? undefined)
    if (completed === undefined) base.headers.delete(name)
    else base.headers.set(name, String(completed))
  }
  if (text !== '' && !base.headers.has('content-type'))
    base.headers.set('content-type', 'application/json')
  base.headers.delete('content-length')
  return { status: base.status, headers: Object.fromEntries(base.headers), body: text }
}

interface BaseResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Whether a response has the recorded status, so that its values can complete the recorded ones. */
function hasStatus({ status }: ExpectedResponse, simulated: BaseResponse): boolean {
  return simulated.status > 0 && (status === undefined || matchesStatus(simulated.status, status))
}

/** Creates a response with the recorded status: an error of the service, or a response without a body. */
function bareResponse(recorded: StatusFilter = 200): BaseResponse {
  const status = Number(String(recorded).replace(/xx$/i, '00'))
  const failure = Object.entries(failureFormats).find(([, format]) => format.status === status)
  if (!failure) return { status, headers: new Headers(), text: '' }
  const response = failureResponse(
    new Failure(failure[0] as keyof typeof failureFormats),
    resolveSettings(),
  )
  return { status, headers: new Headers(sentHeaders(response)), text: bodyText(response.body) }
}

function completeText(
  expected: ExpectedResponse,
  base: BaseResponse,
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

/** Completes a recorded value with a simulated one: fields that are not recorded, and values of matchers. */
function completeValue(
  recorded: unknown,
  simulated: unknown,
  isExact: boolean,
  now: string,
): unknown {
  const complete = (inner: unknown, value: unknown): unknown =>
    completeValue(inner, value, isExact, now)
  const special = toSpecialValue(recorded)
  if (special?.keyword === '$literal') return special.value
  if (special) {
    const isSimulated = diffWithMatchers(recorded, simulated, isExact).length === 0
    if (isSimulated || special.keyword !== '$match') return simulated
    return { ...examples, time: now }[String(special.value)]
  }
  if (Array.isArray(recorded)) {
    const items: readonly unknown[] = Array.isArray(simulated) ? simulated : []
    return recorded.map((item, index) => complete(item, rowLike(item, items) ?? items[index]))
  }
  if (!isObject(recorded)) return recorded
  const base = isObject(simulated) ? simulated : {}
  const fields = Object.entries(recorded).map(([name, inner]): [string, unknown] => [
    name,
    complete(inner, Object.hasOwn(base, name) ? base[name] : undefined),
  ])
  return Object.fromEntries(isExact ? fields : [...Object.entries(base), ...fields])
}

/** The row with the id of a recorded one: a page can have other rows than were recorded. */
function rowLike(recorded: unknown, items: readonly unknown[]): unknown {
  if (!isObject(recorded) || recorded.id === undefined) return undefined
  return items.find((item) => isObject(item) && item.id === recorded.id)
}

/** A value for each matcher, for paths that the simulator does not have. */
const examples: Readonly<Record<string, unknown>> = {
  any: null,
  id: 1,
  uuid: '00000000-0000-4000-8000-000000000001',
  text: 'Text',
  number: 1,
  boolean: false,
  list: [],
  object: {},
}
