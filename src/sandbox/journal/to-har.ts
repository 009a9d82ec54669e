import type { Har } from 'har-format'
import { createHar, toHarEntry } from '../../adapters/har/write-har.ts'
import type { Exchange, ExchangedMessage } from '../../http/exchange.ts'
import type { JournalEntry } from './entry.ts'
import type { RenderedMessage } from './render-parts.ts'
import type { RenderedEntry } from './renderer.ts'

/**
 * Converts entries to an HTTP archive. The comment of each entry has its id, operation, fault, reason and ignored input.
 *
 * @param origin the origin of URLs for requests without a Host header
 */
export function toHar(entries: readonly RenderedEntry[], origin: string): Har {
  return createHar(
    entries.map((rendered) =>
      toHarEntry(toExchange(rendered, origin), entryComment(rendered.entry)),
    ),
  )
}

/** Converts an entry to a request and its response, with masked keys. */
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
    response: { status: entry.response.status, ...exchangeMessage(response, method !== 'HEAD') },
  }
}

/** The label of the key. An unknown key has no label, so the field is omitted. */
function exchangeKey({ key }: JournalEntry): Pick<Exchange, 'key'> {
  if (key === null) return { key: null }
  return key.label === null ? {} : { key: key.label }
}

function exchangeMessage({ message, text }: RenderedMessage, hasBody = true): ExchangedMessage {
  const headers = Object.entries(message.headers)
  if (hasBody && message.omitted) return { headers, body: { omitted: message.bytes } }
  return { headers, body: hasBody && text !== '' ? { text, bytes: message.bytes } : null }
}

function entryComment({ id, operation, fault, reason, ignored }: JournalEntry): string {
  const faultText = fault ? `, ${fault.id} (${fault.phase})` : ''
  const head = `entry ${id}: ${operation ?? 'no operation'}${faultText}`
  return [
    head,
    ...(reason === null ? [] : [reason]),
    ...ignored.map((text) => `ignored: ${text}`),
  ].join('; ')
}
