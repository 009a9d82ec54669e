import { Failure } from '../errors.ts'
import { failures, toAnswer } from '../http/failure.ts'
import { hasStatus, type StatusFilter } from '../journal/filter.ts'
import { settle } from '../policies/settings.ts'
import { toBytes } from '../recordings/bytes.ts'
import { bodyOf, compare } from '../scenarios/compare.ts'
import type { Expected } from '../scenarios/scenario.ts'
import type { Heard } from '../scenarios/target.ts'
import { filled, type Saved } from '../scenarios/values.ts'
import { completeValue } from './complete-value.ts'
import type { Make } from './make.ts'

/** A connection that breaks in place of an answer. */
const broken: Omit<Heard, 'headers'> = { status: 0, text: '', broken: true }

/** Whether an answer is already as it was recorded. */
export function isAsRecorded(expected: Expected | undefined, given: Heard, saved: Saved): boolean {
  return !expected || compare(expected, given, bodyOf(given.text), saved).length === 0
}

/** Whether an answer can fill what a recorded one leaves open: it has the recorded status. */
export function fits({ status }: Expected, given: Heard): boolean {
  return !given.broken && (status === undefined || hasStatus({ answer: given }, status))
}

/**
 * An answer as it was recorded, and what the recording leaves open as it was simulated. Recorded values win.
 *
 * @param given what was simulated
 */
export function complete(
  expected: Expected | undefined,
  given: Heard,
  saved: Saved,
  make: Make,
): Heard {
  if (expected === undefined || isAsRecorded(expected, given, saved)) return given
  if (expected.broken) return { ...broken, headers: new Headers() }
  const base = fits(expected, given) ? given : standIn(expected.status)
  const headers = headersOf(expected, base, saved, make)
  const { base64 } = expected
  if (base64 !== undefined) return { status: base.status, headers, ...bodyOfBytes(base64) }
  const text = textOf(expected, base, saved, make)
  if (text !== '' && !headers.has('content-type')) headers.set('content-type', 'application/json')
  return { status: base.status, headers, text, broken: false }
}

/** What has the recorded status where the simulation has none: an error of the service, else an answer without a body. */
function standIn(wanted: StatusFilter = 200): Heard {
  const status = Number(String(wanted).replace(/xx$/i, '00'))
  const known = Object.entries(failures).find(([, form]) => form.status === status)
  if (!known || status < 400) return { status, headers: new Headers(), text: '', broken: false }
  const { text, headers } = toAnswer(new Failure(known[0] as keyof typeof failures), settle())
  return { status, headers: new Headers(headers), text, broken: false }
}

function headersOf(
  { headers: wanted = {} }: Expected,
  base: Heard,
  saved: Saved,
  make: Make,
): Headers {
  const headers = new Headers(base.headers)
  for (const [name, value] of Object.entries(wanted)) {
    const made =
      value === null
        ? undefined
        : completeValue(filled(value, saved), headers.get(name) ?? undefined, false, make)
    if (made === undefined) headers.delete(name)
    else headers.set(name, String(made))
  }
  return headers
}

function bodyOfBytes(base64: string): Omit<Heard, 'status' | 'headers'> {
  return { text: new TextDecoder().decode(toBytes(base64)), base64, broken: false }
}

function textOf(expected: Expected, base: Heard, saved: Saved, make: Make): string {
  if (expected.text !== undefined) return String(filled(expected.text, saved))
  const part = 'exact_body' in expected ? 'exact_body' : 'body'
  if (!(part in expected)) return base.text
  const wanted = filled(expected[part], saved)
  const value = completeValue(wanted, bodyOf(base.text), part === 'exact_body', make)
  if (value === undefined) return ''
  const isJson = /json/.test(base.headers.get('content-type') ?? 'json')
  return typeof value === 'string' && !isJson ? value : JSON.stringify(value)
}
