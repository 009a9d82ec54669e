import type { Exchange, ExchangedBody, ExchangedMessage } from '../recordings/exchange.ts'
import { inspectValue } from '../usage-error.ts'
import { describeIssues } from '../world/faults.ts'
import { isNetworkError } from './left-out.ts'
import { isKnownEncoding, requestBody, responseBody } from './read-body.ts'
import { entrySchema, type RawEntry, type RawMessage } from './schema.ts'

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
