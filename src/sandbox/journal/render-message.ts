import { utf8Length } from '../../utils/json-text.ts'
import { parseJson } from '../../utils/python/parse-json.ts'
import type { JournalMessage } from './entry.ts'
import type { KeyRedactor } from './key-redactor.ts'
import { isOmitted, type JournalRecord } from './record.ts'

/** A message as the journal shows it, and its body as a text. */
export interface RenderedMessage {
  readonly shown: JournalMessage
  readonly text: string
}

/** What was asked. */
export function renderRequest(
  { requestHeaders, requestBody }: JournalRecord,
  redactor: KeyRedactor,
): RenderedMessage {
  const headers = redactor.headers(requestHeaders.entries())
  const type = requestHeaders.get('content-type')
  if (requestBody === null) return renderBody(headers, '', 0, type, redactor)
  if (isOmitted(requestBody)) return renderOmitted(headers, requestBody.omitted)
  const bytes = typeof requestBody === 'string' ? utf8Length(requestBody) : requestBody.length
  return renderBody(headers, toText(requestBody), bytes, type, redactor)
}

/** What was answered. */
export function renderResponse(
  { response }: JournalRecord,
  redactor: KeyRedactor,
): RenderedMessage {
  const headers = redactor.headers(Object.entries(response.headers))
  if ('omitted' in response) return renderOmitted(headers, response.omitted)
  const { text, ascii } = response
  const bytes = ascii ? text.length : new TextEncoder().encode(text).length
  return renderBody(headers, text, bytes, response.headers['content-type'] ?? null, redactor)
}

/** What was sent, as it was and not to be shown: a value where it can be read, else a text; null for nothing. */
export function decodeRequestBody({
  requestBody,
  requestHeaders,
}: JournalRecord): { readonly value: unknown } | { readonly omitted: number } {
  if (requestBody === null) return { value: null }
  if (isOmitted(requestBody)) return requestBody
  const text = toText(requestBody)
  if (text === '') return { value: null }
  const value = parseBody(text, requestHeaders.get('content-type'))
  return { value: value === undefined ? text : value }
}

/** What was sent as it can be read; undefined where it cannot, or was not kept. */
export function parseRequestBody({ requestBody, requestHeaders }: JournalRecord): unknown {
  if (requestBody === null || isOmitted(requestBody)) return undefined
  return parseBody(toText(requestBody), requestHeaders.get('content-type'))
}

function toText(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body)
}

function renderOmitted(headers: JournalMessage['headers'], bytes: number): RenderedMessage {
  return { shown: { headers, body: null, bytes, omitted: true }, text: '' }
}

function renderBody(
  headers: JournalMessage['headers'],
  text: string,
  bytes: number,
  type: string | null,
  redactor: KeyRedactor,
): RenderedMessage {
  const shown = (body: unknown): JournalMessage => ({ headers, body, bytes, omitted: false })
  if (text === '') return { shown: shown(null), text }
  const value = parseBody(text, type)
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
function parseBody(text: string, type: string | null): unknown {
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
