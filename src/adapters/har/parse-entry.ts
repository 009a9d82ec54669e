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
  type RawContent,
  type RawEntry,
  type RawMessage,
  type RawPostData,
} from './entry-schema.ts'
import { isNetworkError } from './skip-reason.ts'

/** An entry, read; or everything that is wrong with it. */
export type ParsedEntry =
  | { readonly entry: RawEntry; readonly exchange: Exchange }
  | { readonly faults: readonly string[] }

/**
 * Reads an entry of an archive.
 *
 * @param path where it stands, such as `log.entries[3]`
 */
export function parseEntry(given: unknown, path: string): ParsedEntry {
  const parsed = entrySchema.safeParse(given)
  if (!parsed.success) {
    return {
      faults: describeIssues(parsed.error, given, '').map((fault) => prefixPath(path, fault)),
    }
  }
  const entry = parsed.data
  const faults: string[] = []
  const attempt = (place: string, encoding: string | undefined, read: () => Body): Body => {
    if (!isKnownEncoding(encoding)) {
      faults.push(
        `${path}.${place}.encoding: expected base64 or none, got ${inspectValue(encoding)}`,
      )
      return null
    }
    try {
      return read()
    } catch {
      faults.push(`${path}.${place}.text: expected base64, got a text that is none`)
      return null
    }
  }
  const { postData } = entry.request
  const { content } = entry.response
  const encoding = postData?.encoding ?? postData?._encoding
  const sent = attempt('request.postData', encoding, () => requestBody(entry.request))
  const heard = attempt('response.content', content?.encoding, () => responseBody(entry.response))
  return faults.length > 0 ? { faults } : { entry, exchange: toExchange(entry, sent, heard) }
}

type Body = ExchangedBody | null

function toExchange(entry: RawEntry, sent: Body, heard: Body): Exchange {
  const { startedDateTime, time, request, response, _key } = entry
  return {
    at: new Date(startedDateTime).toISOString(),
    ms: Math.max(0, time ?? 0),
    method: request.method,
    url: request.url,
    ...(typeof _key === 'string' && _key !== '' && { key: _key }),
    request: { headers: toHeaders(request), body: sent },
    answer: isNetworkError(response)
      ? { status: 0, headers: [], body: null }
      : { status: response.status, headers: toHeaders(response), body: heard },
  }
}

/** Browsers tell of HTTP/2 by headers that are none (`:authority`), and join several of a name by new lines. */
function toHeaders({ headers }: RawMessage): ExchangedMessage['headers'] {
  return headers
    .filter(({ name }) => !name.startsWith(':'))
    .flatMap(({ name, value }) => value.split(/\r?\n/).map((one) => [name, one] as const))
}

/** A fault with the path of what it is in. One of the whole begins with a colon. */
function prefixPath(path: string, fault: string): string {
  return /^[:[]/.test(fault) ? `${path}${fault}` : `${path}.${fault}`
}

/** The body of a request; null where it has none. @throws TypeError for base64 that is none */
function requestBody({
  postData,
  bodySize,
}: RawMessage & { readonly postData?: RawPostData | null }): ExchangedBody | null {
  const { text = '', params = [], encoding, _encoding = encoding } = postData ?? {}
  if (text !== '') return toBody(text, _encoding)
  // Exporters that take a form apart leave its text out.
  if (params.length > 0 && isForm(postData?.mimeType)) {
    const pairs = params.map(({ name, value = '' }) => [name, value])
    return { text: String(new URLSearchParams(pairs)) }
  }
  return omittedBody(bodySize)
}

/** The body of an answer; null where it has none. @throws TypeError for base64 that is none */
function responseBody({
  content,
  bodySize,
}: RawMessage & { readonly content?: RawContent | null }): ExchangedBody | null {
  const { text = '', encoding, size } = content ?? {}
  return text === '' ? omittedBody(size ?? bodySize) : toBody(text, encoding)
}

/** Whether an encoding is one that is read: texts as they are, and base64. */
function isKnownEncoding(encoding: string | undefined): boolean {
  return encoding === undefined || /^(|base64|utf-?8)$/i.test(encoding)
}

/** Browsers write texts in base64, too, where they take them for something else. */
function toBody(text: string, encoding: string | undefined): ExchangedBody {
  if (encoding?.toLowerCase() !== 'base64') return { text }
  return bytesToExchangedBody(decodeBase64(text))
}

/** Exporters leave bodies out: they are told by their size alone. */
function omittedBody(size: number | null | undefined): ExchangedBody | null {
  return size && size > 0 ? { omitted: size } : null
}

function isForm(type = ''): boolean {
  return type.startsWith('application/x-www-form-urlencoded')
}
