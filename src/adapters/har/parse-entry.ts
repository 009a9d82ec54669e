import {
  bytesToExchangedBody,
  decodeBase64,
  type Exchange,
  type ExchangedBody,
  type ExchangedMessage,
} from '../../http/exchange.ts'
import { describeIssues } from '../../utils/schema-issues.ts'
import { inspectValue } from '../../utils/usage-error.ts'
import {
  entrySchema,
  isNetworkError,
  type RawContent,
  type RawEntry,
  type RawMessage,
  type RawPostData,
} from './entry-schema.ts'

/** A parsed HAR entry, or everything that is wrong with it. */
export type ParsedEntry =
  | { readonly entry: RawEntry; readonly exchange: Exchange }
  | { readonly issues: readonly string[] }

/**
 * Parses a HAR entry.
 *
 * @param path the path of the entry in the archive, such as `log.entries[3]`
 */
export function parseEntry(value: unknown, path: string): ParsedEntry {
  const parsed = entrySchema.safeParse(value)
  if (!parsed.success) {
    const issues = describeIssues(parsed.error, value, '')
    return { issues: issues.map((issue) => prefixPath(path, issue)) }
  }
  const entry = parsed.data
  const issues: string[] = []
  const decode = (field: string, encoding: string | undefined, read: () => Body): Body => {
    if (!isKnownEncoding(encoding)) {
      const actual = inspectValue(encoding)
      issues.push(`${path}.${field}.encoding: expected base64 or nothing, got ${actual}`)
      return null
    }
    try {
      return read()
    } catch {
      issues.push(`${path}.${field}.text: invalid base64`)
      return null
    }
  }
  const { postData } = entry.request
  const { content } = entry.response
  const encoding = postData?.encoding ?? postData?._encoding
  const sent = decode('request.postData', encoding, () => requestBody(entry.request))
  const received = decode('response.content', content?.encoding, () => responseBody(entry.response))
  return issues.length > 0 ? { issues } : { entry, exchange: toExchange(entry, sent, received) }
}

type Body = ExchangedBody | null

function toExchange(entry: RawEntry, sent: Body, received: Body): Exchange {
  const { startedDateTime, time, request, response, _key } = entry
  return {
    at: new Date(startedDateTime).toISOString(),
    ms: Math.max(0, time ?? 0),
    method: request.method,
    url: request.url,
    ...(typeof _key === 'string' && _key !== '' && { key: _key }),
    request: { headers: toHeaders(request), body: sent },
    response: isNetworkError(response)
      ? { status: 0, headers: [], body: null }
      : { status: response.status, headers: toHeaders(response), body: received },
  }
}

/** Browsers add HTTP/2 pseudo headers (`:authority`), and join repeated headers with line breaks. */
function toHeaders({ headers }: RawMessage): ExchangedMessage['headers'] {
  return headers
    .filter(({ name }) => !name.startsWith(':'))
    .flatMap(({ name, value }) => value.split(/\r?\n/).map((part) => [name, part] as const))
}

/** An issue starts with its path. That of the entry itself is empty, so the issue starts with a colon. */
function prefixPath(path: string, issue: string): string {
  return /^[:[]/.test(issue) ? `${path}${issue}` : `${path}.${issue}`
}

/** @throws an error for invalid base64 */
function requestBody({
  postData,
  bodySize,
}: RawMessage & { readonly postData?: RawPostData | null }): Body {
  const { text = '', params = [], encoding, _encoding = encoding } = postData ?? {}
  if (text !== '') return toBody(text, _encoding)
  // Some exporters write the fields of a form instead of its text.
  if (params.length > 0 && isForm(postData?.mimeType)) {
    const fields = params.map(({ name, value = '' }) => [name, value])
    return { text: String(new URLSearchParams(fields)) }
  }
  return omittedBody(bodySize)
}

/** @throws an error for invalid base64 */
function responseBody({
  content,
  bodySize,
}: RawMessage & { readonly content?: RawContent | null }): Body {
  const { text = '', encoding, size } = content ?? {}
  return text === '' ? omittedBody(size ?? bodySize) : toBody(text, encoding)
}

function isKnownEncoding(encoding: string | undefined): boolean {
  return encoding === undefined || /^(|base64|utf-?8)$/i.test(encoding)
}

/** Browsers also write text in base64 if they do not recognize its type. */
function toBody(text: string, encoding: string | undefined): ExchangedBody {
  if (encoding?.toLowerCase() !== 'base64') return { text }
  return bytesToExchangedBody(decodeBase64(text))
}

/** Exporters can omit a body and write only its size. */
function omittedBody(size: number | null | undefined): Body {
  return size && size > 0 ? { omitted: size } : null
}

function isForm(type = ''): boolean {
  return type.startsWith('application/x-www-form-urlencoded')
}
