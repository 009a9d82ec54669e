import { utf8Length } from '../../utils/json-text.ts'
import { parseJson } from '../../utils/python/parse-json.ts'
import type { JournalMessage } from './entry.ts'
import type { KeyRedactor } from './key-redactor.ts'
import { isOmitted, type JournalRecord } from './record.ts'

/** A request or a response as the journal shows it, and its body as text. */
export interface RenderedMessage {
  readonly message: JournalMessage
  readonly text: string
}

/** Renders a request with masked keys. */
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

/** Renders a response with masked keys. */
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

/**
 * Decodes the body of a request, keys included.
 *
 * @returns a parsed value if possible, else text. Null for no body
 */
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

/** Parses the body of a request, keys included. Returns undefined if it was omitted or is neither JSON nor a form. */
export function parseRequestBody({ requestBody, requestHeaders }: JournalRecord): unknown {
  if (requestBody === null || isOmitted(requestBody)) return undefined
  return parseBody(toText(requestBody), requestHeaders.get('content-type'))
}

function toText(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body)
}

function renderOmitted(headers: JournalMessage['headers'], bytes: number): RenderedMessage {
  return { message: { headers, body: null, bytes, omitted: true }, text: '' }
}

function renderBody(
  headers: JournalMessage['headers'],
  text: string,
  bytes: number,
  type: string | null,
  redactor: KeyRedactor,
): RenderedMessage {
  const withBody = (body: unknown): JournalMessage => ({ headers, body, bytes, omitted: false })
  if (text === '') return { message: withBody(null), text }
  const value = parseBody(text, type)
  if (value === undefined) {
    const redacted = redactor.text(text)
    return { message: withBody(redacted), text: redacted }
  }
  const body = redactor.json(value)
  if (isForm(type)) return { message: withBody(body), text: redactor.form(text) }
  // The text can differ from the value, for example if it repeats a field name. It is kept if it has no key.
  const isUnchanged = JSON.stringify(body) === JSON.stringify(value)
  return { message: withBody(body), text: isUnchanged ? redactor.text(text) : JSON.stringify(body) }
}

/** Parses a form, or JSON up to the depth that the service reads. Returns undefined for anything else. */
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
