import type { Exchange } from '../../http/exchange.ts'

/**
 * Makes the links of a page of a list lead to the base URL of its request. Behind a proxy, as of Vite, or one that ends
 * TLS, a service writes the address that the proxy uses. A link is one of the same path.
 *
 * @example a page of `https://app.example.com/api/projects/` whose `next` begins with `http://app.example.com/`
 */
export function withOwnLinks(exchange: Exchange, baseUrl: string): Exchange {
  const { body } = exchange.response
  if (body === null || !('text' in body)) return exchange
  const [path = ''] = exchange.url.slice(baseUrl.length).split(/[?#]/)
  const text = body.text.replace(pageLink, (field, name: string, address: string, query = '') =>
    address.endsWith(path) ? `${name}"${baseUrl}${path}${query}"` : field,
  )
  return text === body.text
    ? exchange
    : { ...exchange, response: { ...exchange.response, body: { text } } }
}

/** A field `next` or `previous` with a link: its name, the address and its query. */
const pageLink = /("(?:next|previous)"\s*:\s*)"(https?:\/\/[^"\\?#]*)(\?[^"\\]*)?"/g
