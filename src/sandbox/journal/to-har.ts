import type { Har } from 'har-format'
import { createHar, toHarEntry } from '../../adapters/har/write-har.ts'
import type { Exchange, ExchangedMessage } from '../../http/exchange.ts'
import type { JournalEntry } from './entry.ts'
import type { RenderedMessage } from './render-message.ts'
import type { RenderedEntry } from './renderer.ts'

/**
 * Entries as an archive. Each tells in its comment its id, its operation and its fault.
 *
 * @param origin of addresses whose requests do not tell their host
 */
export function toHar(rendered: readonly RenderedEntry[], origin: string): Har {
  return createHar(
    rendered.map((one) => toHarEntry(toExchange(one, origin), entryComment(one.entry))),
  )
}

/** An entry as a request and its answer, keys hidden. */
export function toExchange(
  { entry, request, response, query }: RenderedEntry,
  origin: string,
): Exchange {
  const { at, ms, method, path } = entry
  const { host } = entry.request.headers
  const base = host === undefined ? origin : `http://${host}`
  return {
    at,
    ms,
    method,
    ...exchangeKey(entry),
    url: `${base}${path}${query === '' ? '' : `?${query}`}`,
    request: exchangeMessage(request),
    answer: { status: entry.answer.status, ...exchangeMessage(response) },
  }
}

/** What is known of its key: a value that no key has gets no label. */
function exchangeKey({ key }: JournalEntry): Pick<Exchange, 'key'> {
  if (key === null) return { key: null }
  return key.label === null ? {} : { key: key.label }
}

function exchangeMessage({ shown, text }: RenderedMessage): ExchangedMessage {
  const headers = Object.entries(shown.headers)
  if (shown.omitted) return { headers, body: { omitted: shown.bytes } }
  return { headers, body: text === '' ? null : { text } }
}

function entryComment({ id, operation, fault }: JournalEntry): string {
  const disturbed = fault ? `, disturbed by ${fault.id} (${fault.phase})` : ''
  return `entry ${id}: ${operation ?? 'no operation'}${disturbed}`
}
