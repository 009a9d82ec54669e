import type { Exchange, ExchangedMessage } from '../../http/exchange.ts'
import type { JournalEntry, JournalMessage } from '../../sandbox/journal/entry.ts'

/**
 * Converts an entry of a journal to a request and its response. Its key stays masked: only its label is known.
 *
 * @example simulator.journal.find().map(journalExchange)
 */
export function journalExchange({ query, key, ...entry }: JournalEntry): Exchange {
  const { at, ms, method, path, request, response } = entry
  const text = String(new URLSearchParams(query))
  const host = request.headers.host ?? 'localhost'
  const label = key === null ? { key: null } : key.label === null ? {} : { key: key.label }
  return {
    at,
    ms,
    method,
    url: `http://${host}${path}${text === '' ? '' : `?${text}`}`,
    ...label,
    request: toMessage(request),
    // The journal keeps the body that a GET would have.
    response: {
      status: response.status,
      ...toMessage(response),
      ...(method === 'HEAD' && { body: null }),
    },
  }
}

function toMessage({ headers, body, bytes, omitted }: JournalMessage): ExchangedMessage {
  const pairs = Object.entries(headers)
  if (omitted) return { headers: pairs, body: { omitted: bytes } }
  if (body === null && bytes === 0) return { headers: pairs, body: null }
  const type = headers['content-type'] ?? ''
  const isForm = type.startsWith('application/x-www-form-urlencoded') && typeof body === 'object'
  // A text of another type is not JSON. A JSON text is a value.
  const isText = typeof body === 'string' && !/json/i.test(type)
  const text = isForm
    ? String(new URLSearchParams(body as Record<string, string>))
    : isText
      ? body
      : JSON.stringify(body)
  return { headers: pairs, body: { text } }
}
