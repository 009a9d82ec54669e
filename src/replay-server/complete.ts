import { Failure } from '../errors.ts'
import { failureFormats, failureResponse } from '../http/failure.ts'
import { matchesStatus, type StatusFilter } from '../journal/filter.ts'
import { resolvePolicies } from '../policies/settings.ts'
import { decodeBase64 } from '../recordings/bytes.ts'
import { compareResponse, parseTextBody } from '../scenarios/compare.ts'
import type { ExpectedResponse } from '../scenarios/scenario.ts'
import type { ReceivedResponse } from '../scenarios/target.ts'
import { fillValue, type SavedValues } from '../scenarios/values.ts'
import { completeValue } from './complete-value.ts'
import type { CreatePlaceholder } from './make.ts'

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
