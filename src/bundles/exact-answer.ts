import { escapeBraces } from '../recordings/address.ts'
import type { Exchange, ExchangedBody } from '../recordings/exchange.ts'
import type { ExpectedResponse } from '../scenarios/scenario.ts'
import type { UnknownKeys } from './strange-keys.ts'

/** Headers of the way an answer took, or that are secret; the length of a body is told by the body. */
const transportHeaders =
  /^(date|connection|keep-alive|transfer-encoding|content-length|content-encoding|server|set-cookie|access-control-.*)$/

/** What is expected of an answer that came: the same one, byte for byte, wherever the API is. */
export function toExactResponse(
  { method, answer }: Exchange,
  keys: UnknownKeys,
  baseUrl: string,
): ExpectedResponse {
  const { status, headers, body } = answer
  if (status === 0) return { broken: true }
  const shown = headers
    .filter(([name]) => !transportHeaders.test(name))
    .map(([name, value]) => [name, withBaseUrl(keys.responseHider.header(name, value), baseUrl)])
  return {
    status,
    ...(shown.length > 0 && { headers: Object.fromEntries(shown) }),
    ...(method !== 'HEAD' && toExactResponseBody(body, keys, baseUrl)),
  }
}

function toExactResponseBody(
  body: ExchangedBody | null,
  { responseHider }: UnknownKeys,
  baseUrl: string,
): Pick<ExpectedResponse, 'text' | 'base64'> {
  if (body === null || 'omitted' in body) return {}
  if ('base64' in body) return { base64: responseHider.base64(body.base64) }
  return { text: withBaseUrl(responseHider.text(body.text), baseUrl) }
}

function withBaseUrl(text: string, baseUrl: string): string | { $text: string } {
  if (!text.includes(baseUrl)) return text
  return { $text: escapeBraces(text).replaceAll(baseUrl, '{base_url}') }
}
