import type { PolicySettings } from '../../policies/policies.ts'
import type { Paint, TextTone } from '../command-context.ts'

/** A request as the log shows it. */
export interface LoggedRequest {
  /** ISO 8601, UTC: the real time, not the time of the world */
  readonly time: string
  readonly method: string
  /** The path and the query, without keys */
  readonly path: string
  /** 0 for a broken connection */
  readonly status: number
  /** The duration in milliseconds; null if it is not known */
  readonly ms: number | null
  /** The label of the key, or its value as `phx_…1234`; null for a request without a key */
  readonly key: string | null
  /** The id of the sandbox; null for the server's own world */
  readonly sandbox: string | null
  readonly operation: string | null
  /** The policies that decided the response */
  readonly policies: () => Partial<PolicySettings>
  /** The fault rule that was applied */
  readonly fault: string | null
  /** Whether the recording has the request; null if the server has no recording */
  readonly recorded: boolean | null
  /** The nearest routes, or the nearest recorded request */
  readonly nearest: string | null
}

/** The fields of a request of which only method, path and status are known. */
export const loggedRequestDefaults: Omit<LoggedRequest, 'time' | 'method' | 'path' | 'status'> = {
  ms: null,
  key: null,
  sandbox: null,
  operation: null,
  policies: () => ({}),
  fault: null,
  recorded: null,
  nearest: null,
}

/**
 * Formats a request as a line of text.
 *
 * @example formatTextLine(request, plain) // '12:00:00 405 DELETE /api/projects/1/annotations/1/ 0.2 ms, all – annotations.delete.status=405'
 */
export function formatTextLine(request: LoggedRequest, paint: Paint): string {
  const { time, status, method, path, ms, key, sandbox } = request
  const duration = ms === null ? null : `${ms.toFixed(ms < 10 ? 1 : 0)} ms`
  const details = [duration, key, sandbox].filter((text) => text !== null)
  const head = [
    paint('faint', formatTimeOfDay(time)),
    paint(toneOf(status), status === 0 ? '---' : String(status)),
    paint('strong', method),
    path,
    ...(details.length > 0 ? [paint('faint', details.join(', '))] : []),
  ].join(' ')
  const reasons = failureReasons(request).join('; ')
  return reasons === '' ? head : `${head} – ${reasons}`
}

/** Formats the local time of day. @example formatTimeOfDay('2024-06-15T12:00:00Z') // '14:00:00' in Berlin */
export function formatTimeOfDay(time: string): string {
  return new Date(time).toTimeString().slice(0, 8)
}

function toneOf(status: number): TextTone {
  if (status === 0 || status >= 500) return 'bad'
  return status >= 400 ? 'warning' : 'good'
}

/** The reasons why a request did not succeed. */
function failureReasons({ status, fault, recorded, nearest, policies }: LoggedRequest): string[] {
  const isByPolicy = status >= 400 && recorded === null && fault === null && nearest === null
  // Policies of the resource. Those on the form of every response are left out.
  const deciding = Object.entries(isByPolicy ? policies() : {}).filter(([id]) =>
    /^(annotations|plugins|projects|keys)\./.test(id),
  )
  return [
    ...(status === 0 && fault === null ? ['connection broken'] : []),
    ...(fault === null ? [] : [fault]),
    ...(recorded === false ? ['not recorded'] : []),
    ...(nearest === null ? [] : [`nearest: ${nearest}`]),
    ...deciding.slice(0, 2).map(([id, setting]) => `${id}=${setting}`),
  ]
}

/** The formats of the request log. */
export const logFormats = ['text', 'json'] as const

export type LogFormat = (typeof logFormats)[number]
