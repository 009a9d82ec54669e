import type { Exchange, ExchangedBody, SentMessage } from '../recordings/exchange.ts'
import { show } from '../usage-error.ts'
import { faultsOf } from '../world/faults.ts'
import { isBroken } from './left-out.ts'
import { heardBody, isKnownEncoding, sentBody } from './read-body.ts'
import { entrySchema, type ReadEntry, type ReadMessage } from './schema.ts'

/** An entry, read; or everything that is wrong with it. */
export type Read =
  | { readonly entry: ReadEntry; readonly exchange: Exchange }
  | { readonly faults: readonly string[] }

/**
 * Reads an entry of an archive.
 *
 * @param path where it stands, such as `log.entries[3]`
 */
export function readEntry(given: unknown, path: string): Read {
  const parsed = entrySchema.safeParse(given)
  if (!parsed.success) {
    return { faults: faultsOf(parsed.error, given, '').map((fault) => below(path, fault)) }
  }
  const entry = parsed.data
  const faults: string[] = []
  const attempt = (place: string, encoding: string | undefined, read: () => Body): Body => {
    if (!isKnownEncoding(encoding)) {
      faults.push(`${path}.${place}.encoding: expected base64 or none, got ${show(encoding)}`)
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
  const sent = attempt('request.postData', encoding, () => sentBody(entry.request))
  const heard = attempt('response.content', content?.encoding, () => heardBody(entry.response))
  return faults.length > 0 ? { faults } : { entry, exchange: exchangeOf(entry, sent, heard) }
}

type Body = ExchangedBody | null

function exchangeOf(entry: ReadEntry, sent: Body, heard: Body): Exchange {
  const { startedDateTime, time, request, response, _key } = entry
  return {
    at: new Date(startedDateTime).toISOString(),
    ms: Math.max(0, time ?? 0),
    method: request.method,
    url: request.url,
    ...(typeof _key === 'string' && _key !== '' && { key: _key }),
    request: { headers: headersOf(request), body: sent },
    answer: isBroken(response)
      ? { status: 0, headers: [], body: null }
      : { status: response.status, headers: headersOf(response), body: heard },
  }
}

/** Browsers tell of HTTP/2 by headers that are none (`:authority`), and join several of a name by new lines. */
function headersOf({ headers }: ReadMessage): SentMessage['headers'] {
  return headers
    .filter(({ name }) => !name.startsWith(':'))
    .flatMap(({ name, value }) => value.split(/\r?\n/).map((one) => [name, one] as const))
}

/** A fault with the path of what it is in. One of the whole begins with a colon. */
function below(path: string, fault: string): string {
  return /^[:[]/.test(fault) ? `${path}${fault}` : `${path}.${fault}`
}
