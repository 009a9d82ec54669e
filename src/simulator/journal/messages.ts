import { findApiKey } from '../../http/check.ts'
import { decodeText, urlEncodedType } from '../../http/input.ts'
import { bodyLength, bodyText, isOmitted, queryString, sentHeaders } from '../../http/messages.ts'
import { withoutByteOrderMark } from '../../utils/json.ts'
import { parseJson } from '../../utils/python-json.ts'
import { parseQuery } from '../../utils/query.ts'
import type { KeyRedactor, Redactor } from '../../utils/redaction/redactor.ts'
import type { JournalMessage } from './entry.ts'
import type { JournalRecord } from './journal.ts'

/** The request or the response of an entry, with masked secrets. @param plain records and responses whose bodies have none */
export function maskMessage(
  record: JournalRecord,
  part: 'request' | 'response',
  redactor: KeyRedactor,
  plain: WeakSet<object>,
): JournalMessage {
  const isSent = part === 'request'
  const { requestHeaders, requestBody, response } = record
  const body = isSent ? requestBody : response.body
  const type = typeOf(record, part)
  const text = isSent ? decodeText(requestBody, type) : responseText(record)
  const source = isSent ? record : response
  const masked = text && !plain.has(source) ? redactor.body(text, isForm(type)) : text
  if (masked === text) plain.add(source)
  return {
    headers: redactor.headers(
      isSent ? requestHeaders.entries() : Object.entries(sentHeaders(response)),
    ),
    body: masked === '' ? null : (parseBodyText(masked, type) ?? masked),
    bytes: bodyLength(body) ?? 0,
    omitted: isOmitted(body),
  }
}

/** The same without headers and bodies. */
export function omitMessage(
  { requestBody, response }: JournalRecord,
  part: 'request' | 'response',
): JournalMessage {
  const bytes = bodyLength(part === 'request' ? requestBody : response.body) ?? 0
  return { headers: {}, body: null, bytes, omitted: bytes > 0 }
}

/** The body of a response, keys included. Null if it was omitted, or can be no value */
export function parseResponseBody(record: JournalRecord): unknown {
  return parseBodyText(responseText(record), typeOf(record, 'response')) ?? null
}

/** The body as text. Empty for none, and for one that is not stored */
function responseText({ response }: JournalRecord) {
  return withoutByteOrderMark(bodyText(response.body))
}

function typeOf(
  { requestHeaders, response }: JournalRecord,
  part: 'request' | 'response',
): string | null {
  if (part === 'request') return requestHeaders.get('content-type')
  return response.headers['content-type'] ?? null
}

/** Decodes the body of a request, keys included: to a value if possible, else to text. Null for no body */
export function decodeRequestBody(
  record: JournalRecord,
): { readonly value: unknown } | { readonly omitted: number } {
  const { requestBody } = record
  if (isOmitted(requestBody)) return requestBody
  const type = typeOf(record, 'request')
  const text = decodeText(requestBody, type)
  return { value: text === '' ? null : (parseBodyText(text, type, () => {}) ?? text) }
}

/** Parses the body of a request, keys included. Returns undefined if it was omitted or is neither JSON nor a form. */
export function parseRequestBody({
  requestBody,
  requestHeaders,
}: Pick<JournalRecord, 'requestBody' | 'requestHeaders'>): unknown {
  if (requestBody === null || isOmitted(requestBody)) return undefined
  const type = requestHeaders.get('content-type')
  return parseBodyText(decodeText(requestBody, type), type, () => {})
}

export function findSentKey(record: JournalRecord): ReturnType<typeof findApiKey> {
  const { requestHeaders: headers, target, settings } = record
  return findApiKey({ headers, query: queryString(target) }, settings, () =>
    parseRequestBody(record),
  )
}

/**
 * Parses a form, or JSON up to the depth that the service reads. Returns undefined for anything else.
 *
 * @param onConstant called with `NaN` and infinite numbers, which the service can read. By default they are no JSON
 */
export function parseBodyText(
  text: string,
  type: string | null,
  onConstant?: Parameters<typeof parseJson>[1],
): unknown {
  if (isForm(type)) return Object.fromEntries(parseQuery(text))
  try {
    return parseJson(text, onConstant).value
  } catch {
    return undefined
  }
}

function isForm(type: string | null) {
  return type?.startsWith(urlEncodedType) === true
}

export function maskPath(target: string, redactor: Redactor): string {
  return redactor.text(target.split('?')[0] as string)
}

/** The last value of each parameter, with masked keys. */
export function maskQuery(target: string, redactor: Redactor): Record<string, string> {
  return Object.fromEntries(parseQuery(redactor.form(queryString(target))))
}
