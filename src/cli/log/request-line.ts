import type { PolicySettings } from '../../policies/policies.ts'
import type { Paint, TextTone } from '../output/paint.ts'

/** A request that was answered, as the log tells it. */
export interface LoggedRequest {
  /** ISO 8601, UTC: the real time, whatever the clock of the world says */
  readonly time: string
  readonly method: string
  /** The path and the query, without keys */
  readonly path: string
  /** 0 for a connection that broke */
  readonly status: number
  /** How long the answer took, in milliseconds; null where nobody knows */
  readonly ms: number | null
  /** The label of the key, or its value as `phx_…1234`; null for a request without one */
  readonly key: string | null
  /** The id of the sandbox that answered; null for the server's own world */
  readonly sandbox: string | null
  readonly operation: string | null
  /** Those that the answer came from */
  readonly policies: () => Partial<PolicySettings>
  /** The rule that disturbed the answer */
  readonly fault: string | null
  /** Whether a recording has it; null where no recording answers */
  readonly recorded: boolean | null
  /** What was probably meant, of the routes, or of the recording */
  readonly nearest: string | null
}

/** What is said of a request of which nothing more is known. */
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

/** A request as an object on one line, for machines. */
export function formatJsonLine({ time, policies, ...rest }: LoggedRequest): string {
  return JSON.stringify({ time, event: 'request', ...rest, policies: policies() })
}

/**
 * A request as a line to read.
 *
 * @example textLine(request, plain) // '12:00:00 405 DELETE /api/projects/1/annotations/1/ 0.2 ms, all – annotations.delete.status=405'
 */
export function formatTextLine(request: LoggedRequest, paint: Paint): string {
  const { time, status, method, path } = request
  const shown = status === 0 ? '---' : String(status)
  const head = [
    paint('faint', formatTimeOfDay(time)),
    paint(toneOf(status), shown),
    paint('strong', method),
    path,
    paint('faint', requestDetails(request).join(', ')),
  ].filter((part) => part !== '')
  const reasons = failureReasons(request)
  return [head.join(' '), ...(reasons.length > 0 ? [reasons.join('; ')] : [])].join(' – ')
}

/** The time of day where somebody reads it. @example clockTime('2024-06-15T12:00:00Z') // '14:00:00' in Berlin */
export function formatTimeOfDay(time: string): string {
  return new Date(time).toTimeString().slice(0, 8)
}

function toneOf(status: number): TextTone {
  if (status === 0 || status >= 500) return 'bad'
  return status >= 400 ? 'warning' : 'good'
}

function requestDetails({ ms, key, sandbox }: LoggedRequest): string[] {
  return [
    ...(ms === null ? [] : [`${ms.toFixed(ms < 10 ? 1 : 0)} ms`]),
    ...(key === null ? [] : [key]),
    ...(sandbox === null ? [] : [sandbox]),
  ]
}

/** Why it was not what somebody hoped for. */
function failureReasons({ status, fault, recorded, nearest, policies }: LoggedRequest): string[] {
  const broken = status === 0 && fault === null ? ['broken'] : []
  const decided = status >= 400 && recorded === null && fault === null && nearest === null
  return [
    ...broken,
    ...(fault === null ? [] : [fault]),
    ...(recorded === false ? ['not recorded'] : []),
    ...(nearest === null ? [] : [`nearest: ${nearest}`]),
    ...(decided ? decidingPolicies(policies()) : []),
  ]
}

/** Of the policies those on the matter itself: those on the form of every answer would be told each time. */
function decidingPolicies(policies: Partial<PolicySettings>): string[] {
  return Object.entries(policies)
    .filter(([id]) => /^(annotations|plugins|projects|keys)\./.test(id))
    .slice(0, 2)
    .map(([id, setting]) => `${id}=${setting}`)
}

/** How requests are logged. */
export type LogFormat = 'text' | 'json'

/** The names of the formats. */
export const logFormats: readonly LogFormat[] = ['text', 'json']
