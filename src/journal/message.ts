import { parseJson } from '../python/json.ts'
import { utf8Length } from '../wire.ts'
import type { ShownMessage } from './entry.ts'
import { isOmitted, type JournalRecord } from './record.ts'
import type { Redactor } from './redact.ts'

/** A message as the journal shows it, and its body as a text. */
export interface Message {
  readonly shown: ShownMessage
  readonly text: string
}

/** What was asked. */
export function requestOf(
  { requestHeaders, requestBody }: JournalRecord,
  redactor: Redactor,
): Message {
  const headers = redactor.headers(requestHeaders.entries())
  const type = requestHeaders.get('content-type')
  if (requestBody === null) return message(headers, '', 0, type, redactor)
  if (isOmitted(requestBody)) return omitted(headers, requestBody.omitted)
  const bytes = typeof requestBody === 'string' ? utf8Length(requestBody) : requestBody.length
  return message(headers, toText(requestBody), bytes, type, redactor)
}

/** What was answered. */
export function answerOf({ answer }: JournalRecord, redactor: Redactor): Message {
  const headers = redactor.headers(Object.entries(answer.headers))
  if ('omitted' in answer) return omitted(headers, answer.omitted)
  const { text, ascii } = answer
  const bytes = ascii ? text.length : new TextEncoder().encode(text).length
  return message(headers, text, bytes, answer.headers['content-type'] ?? null, redactor)
}

/** What was sent, as it was and not to be shown: a value where it can be read, else a text; null for nothing. */
export function requestBodyOf({
  requestBody,
  requestHeaders,
}: JournalRecord): { readonly value: unknown } | { readonly omitted: number } {
  if (requestBody === null) return { value: null }
  if (isOmitted(requestBody)) return requestBody
  const text = toText(requestBody)
  if (text === '') return { value: null }
  const value = parsed(text, requestHeaders.get('content-type'))
  return { value: value === undefined ? text : value }
}

/** What was sent as it can be read; undefined where it cannot, or was not kept. */
export function readBody({ requestBody, requestHeaders }: JournalRecord): unknown {
  if (requestBody === null || isOmitted(requestBody)) return undefined
  return parsed(toText(requestBody), requestHeaders.get('content-type'))
}

function toText(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body)
}

function omitted(headers: ShownMessage['headers'], bytes: number): Message {
  return { shown: { headers, body: null, bytes, omitted: true }, text: '' }
}

function message(
  headers: ShownMessage['headers'],
  text: string,
  bytes: number,
  type: string | null,
  redactor: Redactor,
): Message {
  const shown = (body: unknown): ShownMessage => ({ headers, body, bytes, omitted: false })
  if (text === '') return { shown: shown(null), text }
  const value = parsed(text, type)
  if (value === undefined) {
    const redacted = redactor.text(text)
    return { shown: shown(redacted), text: redacted }
  }
  const body = redactor.json(value)
  if (isForm(type)) return { shown: shown(body), text: redactor.form(text) }
  const isSame = JSON.stringify(body) === JSON.stringify(value)
  // Of a name that stands there twice, only one value was read.
  return { shown: shown(body), text: isSame ? redactor.text(text) : JSON.stringify(body) }
}

/** A body as a value; undefined for what is neither a form nor JSON that the service reads: what is too deep is not. */
function parsed(text: string, type: string | null): unknown {
  if (isForm(type)) return Object.fromEntries(new URLSearchParams(text))
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function isForm(type: string | null): boolean {
  return type?.startsWith('application/x-www-form-urlencoded') === true
}
