import { findApiKey } from '../../http/authorize.ts'
import { urlEncodedType } from '../../http/body.ts'
import type { ExchangedBody } from '../../http/exchange.ts'
import {
  bodyLength,
  bodyText,
  isMultipartBody,
  isOmitted,
  type MessageBody,
  sentHeaders,
} from '../../http/messages.ts'
import { queryString } from '../../http/url.ts'
import { parseJson } from '../../utils/python/json.ts'
import type { KeyRedactor } from '../../utils/redaction/mask.ts'
import type { JournalMessage } from './entry.ts'
import type { JournalRecord } from './journal.ts'

/** The headers and the body of a stored message, as they were sent. */
interface StoredMessage {
  readonly headers: Iterable<readonly [string, string]>
  readonly type: string | null
  readonly body: MessageBody
  readonly bytes: number
}

export function requestOf({ requestHeaders, requestBody }: JournalRecord): StoredMessage {
  const type = requestHeaders.get('content-type')
  const bytes = bodyLength(requestBody) ?? 0
  return { headers: requestHeaders.entries(), type, body: requestBody, bytes }
}

export function responseOf({ response }: JournalRecord): StoredMessage {
  const { body } = response
  const bytes = bodyLength(body) ?? 0
  const headers = Object.entries(sentHeaders(response, () => bytes))
  return { headers, type: response.headers['content-type'] ?? null, body, bytes }
}

/** A message as an entry has it, with masked secrets. */
export function maskMessage(
  { headers, type, body, bytes }: StoredMessage,
  redactor: KeyRedactor,
): JournalMessage {
  const text = bodyText(body)
  const value = text === '' ? null : (parseBody(text, type) ?? text)
  return {
    headers: redactor.headers(headers),
    body: typeof value === 'string' ? redactor.text(value) : redactor.json(value),
    bytes,
    omitted: isOmitted(body),
  }
}

/** A body as an HTTP archive has it, with masked secrets. Without one it keeps its text, such as the white space of JSON. */
export function maskBody(
  { type, body, bytes }: StoredMessage,
  redactor: KeyRedactor,
): ExchangedBody | null {
  if (isOmitted(body)) return body
  const text = bodyText(body)
  if (text === '') return null
  return { text: redactor.body(text, isForm(type)), bytes }
}

/** Decodes the body of a request, keys included: to a value if possible, else to text. Null for no body */
export function decodeRequestBody(
  record: JournalRecord,
): { readonly value: unknown } | { readonly omitted: number } {
  const { requestBody } = record
  if (isOmitted(requestBody)) return requestBody
  const text = bodyText(requestBody)
  return { value: text === '' ? null : (parseRequestBody(record) ?? text) }
}

/** Parses the body of a request, keys included. Returns undefined if it was omitted or is neither JSON nor a form. */
export function parseRequestBody({
  requestBody,
  requestHeaders,
}: Pick<JournalRecord, 'requestBody' | 'requestHeaders'>): unknown {
  if (requestBody === null || isOmitted(requestBody)) return undefined
  if (isMultipartBody(requestBody)) return parseBody(requestBody.form, urlEncodedType)
  return parseBody(bodyText(requestBody), requestHeaders.get('content-type'))
}

/** The key of a request, or null for a request without one. */
export function findSentKey(record: JournalRecord): ReturnType<typeof findApiKey> {
  const { requestHeaders: headers, target, settings } = record
  return findApiKey({ headers, query: queryString(target) }, settings, () =>
    parseRequestBody(record),
  )
}

/** Parses a form, or JSON up to the depth that the service reads. Returns undefined for anything else. */
export function parseBody(text: string, type: string | null): unknown {
  if (isForm(type)) return Object.fromEntries(new URLSearchParams(text))
  try {
    return parseJson(text).value
  } catch {
    return undefined
  }
}

function isForm(type: string | null): boolean {
  return type?.startsWith(urlEncodedType) === true
}
