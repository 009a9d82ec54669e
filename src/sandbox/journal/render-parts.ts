import { findApiKey } from '../../http/authorize.ts'
import { urlEncodedType } from '../../http/body.ts'
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
import { type KeyRedactor, maskKey } from '../../utils/redaction/mask.ts'
import { isSameJson, type RowJson, toRowJson } from '../../world/edit/row-json.ts'
import type { KeyRow } from '../../world/rows.ts'
import { type ListName, rowIdOf } from '../../world/tables.ts'
import type { RowChange } from './changes.ts'
import type { JournalChange, JournalMessage } from './entry.ts'
import type { JournalRecord } from './journal.ts'

/** A request or a response as the journal shows it, and its body as text. */
export interface RenderedMessage {
  readonly message: JournalMessage
  readonly text: string
}

/** Renders a request with masked keys. */
export function renderRequest(
  { requestHeaders, requestBody }: Pick<JournalRecord, 'requestHeaders' | 'requestBody'>,
  redactor: KeyRedactor,
): RenderedMessage {
  const headers = redactor.headers(requestHeaders.entries())
  return renderBody(headers, requestBody, requestHeaders.get('content-type'), redactor)
}

/** Renders a response with masked keys. */
export function renderResponse(
  { response }: JournalRecord,
  redactor: KeyRedactor,
): RenderedMessage {
  const headers = redactor.headers(Object.entries(sentHeaders(response)))
  return renderBody(headers, response.body, response.headers['content-type'] ?? null, redactor)
}

/** Decodes the body of a request, keys included: to a value if possible, else to text. Null for no body */
export function decodeRequestBody(
  record: JournalRecord,
): { readonly value: unknown } | { readonly omitted: number } {
  const { requestBody } = record
  if (isOmitted(requestBody)) return requestBody
  const text = bodyText(requestBody)
  if (text === '') return { value: null }
  const value = parseRequestBody(record)
  return { value: value === undefined ? text : value }
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

function renderBody(
  headers: JournalMessage['headers'],
  sent: MessageBody,
  type: string | null,
  redactor: KeyRedactor,
): RenderedMessage {
  const [text, bytes, omitted] = [bodyText(sent), bodyLength(sent) ?? 0, isOmitted(sent)]
  const withBody = (body: unknown): JournalMessage => ({ headers, body, bytes, omitted })
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

/** Renders a write to a row field by field, with masked keys. */
export function renderChange(
  { list, before, after }: RowChange,
  redactor: KeyRedactor,
): JournalChange {
  const [oldRow, newRow] = [toRowJson(list, before), toRowJson(list, after)]
  const [oldShown, newShown] = [renderRow(list, before, redactor), renderRow(list, after, redactor)]
  // Compares the rows with their keys, since two masked keys can look the same.
  const fields = Object.keys({ ...oldShown, ...newShown })
    .filter((name) => !isSameJson(oldRow?.[name] ?? null, newRow?.[name] ?? null))
    .map((name) => [name, [oldShown?.[name] ?? null, newShown?.[name] ?? null]] as const)
  const id = rowIdOf(list, (after ?? before) as object)
  return {
    list,
    id: list === 'keys' ? maskKey(String(id)) : id,
    kind: before ? (after ? 'changed' : 'removed') : 'created',
    fields: Object.fromEntries(fields),
  }
}

/** Renders a row in the world format, with masked keys. Returns null for no row. */
function renderRow(list: ListName, row: object | undefined, redactor: KeyRedactor): RowJson | null {
  const json = toRowJson(list, row)
  if (json === null) return null
  const shown = redactor.json(json) as RowJson
  if (list !== 'keys') return shown
  const { value, label } = row as KeyRow
  return { ...shown, value: maskKey(value), label: label === value ? maskKey(value) : shown.label }
}
