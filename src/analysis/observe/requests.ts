import { tryParseJson } from '../../utils/foreign-json.ts'
import type { KeyRow } from '../../world/rows.ts'

/** A key, and what it may do according to its owner. */
export type ObserverKey = Pick<KeyRow, 'label' | 'value' | 'scopes'>

/** The parts of a request to send. */
export interface SentOptions {
  readonly method?: string
  readonly query?: Readonly<Record<string, string | number>>
  /** A key, its value, or null to send none */
  readonly key?: ObserverKey | string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** A body that is not JSON */
  readonly raw?: string | URLSearchParams
  /** The value of `:id` in the path */
  readonly id?: number | string
}

/** The paths that probes request. `:id` and the parents are filled in when a request is sent. */
export const paths = {
  projects: '/api/projects/',
  annotations: '/api/projects/:project_id/annotations/',
  annotation: '/api/projects/:project_id/annotations/:id/',
  plugins: '/api/organizations/:organization_id/plugins/',
  plugin: '/api/organizations/:organization_id/plugins/:id/',
} as const

/** A policy stays open. It is not an Error, because it is an expected outcome. */
export class Unclear {
  /** As a sentence */
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/** The server responds in a way that no value of the policy has. */
export class NoSuchValue extends Unclear {}

/** No policy can be found: the server refuses the key, lacks the project, or is another API. */
export class Refused extends Unclear {}

/** The connection broke, or a response took too long. */
export class NoResponse extends Unclear {}

/** The parts of a response that probes read. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The parsed body; undefined if it is not JSON */
  readonly body: unknown
  readonly text: string
}

/** A round remembers its answers. It stores their texts only: a parsed page takes many times their memory. */
export function toAnswer({ status, headers }: Response, text: string): Answer {
  let parsed: WeakRef<object> | undefined
  return {
    status,
    headers,
    text,
    get body() {
      const body = parsed?.deref() ?? tryParseJson(text)?.value
      if (typeof body === 'object' && body !== null) parsed = new WeakRef(body)
      return body
    },
  }
}

/** The forms of an error body: the values of the policy `errors.body`, or another one. */
export type ErrorForm = 'envelope' | 'detail' | 'list' | 'html' | 'empty' | 'other'

export function errorForm({ headers, body, text }: Answer): ErrorForm {
  if (text === '') return 'empty'
  if (/html/.test(headers.get('content-type') ?? '') || /^\s*</.test(text)) return 'html'
  const isList = Array.isArray(body) && body.length === 1
  const error = (isList ? body[0] : body) as Record<string, unknown> | null | undefined
  if (typeof error?.detail !== 'string') return 'other'
  const isWhole = ['type', 'code', 'attr'].every((name) => name in error)
  if (isList) return isWhole ? 'list' : 'other'
  if (isWhole) return 'envelope'
  return Object.keys(error).length === 1 ? 'detail' : 'other'
}

/** The message of an error. Null if its body contains none. */
export function errorDetail(answer: Answer): string | null {
  const form = errorForm(answer)
  if (!['envelope', 'detail', 'list'].includes(form)) return null
  const error = form === 'list' ? (answer.body as unknown[])[0] : answer.body
  return (error as { readonly detail: string }).detail
}

/** Whether a status says nothing about a policy: the key is refused, the path or the row is missing, or the server fails. */
function isSilent(status: number): boolean {
  const isMoved = status >= 300 && status < 400
  return isMoved || status >= 500 || [401, 403, 404, 429].includes(status)
}

/** @throws Unclear for a status that the table does not have */
export function byStatus<Value>(
  { status }: Pick<Answer, 'status'>,
  values: Readonly<Record<number, Value>>,
): Value {
  if (Object.hasOwn(values, status)) return values[status] as Value
  const expected = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(Object.keys(values))
  const Reason = Object.keys(values).length > 1 && !isSilent(status) ? NoSuchValue : Unclear
  throw new Reason(`The status was ${status}, and the values would show as ${expected}.`)
}
