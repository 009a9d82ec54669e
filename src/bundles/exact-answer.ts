import { plain } from '../recordings/address.ts'
import type { Exchange, ExchangedBody } from '../recordings/exchange.ts'
import type { Expected } from '../scenarios/scenario.ts'
import type { StrangeKeys } from './strange-keys.ts'

/** Headers of the way an answer took, or that are secret; the length of a body is told by the body. */
const ofTheWay =
  /^(date|connection|keep-alive|transfer-encoding|content-length|content-encoding|server|set-cookie|access-control-.*)$/

/** What is expected of an answer that came: the same one, byte for byte, wherever the API is. */
export function exactAnswer(
  { method, answer }: Exchange,
  keys: StrangeKeys,
  baseUrl: string,
): Expected {
  const { status, headers, body } = answer
  if (status === 0) return { broken: true }
  const shown = headers
    .filter(([name]) => !ofTheWay.test(name))
    .map(([name, value]) => [name, exactText(keys.told.header(name, value), baseUrl)])
  return {
    status,
    ...(shown.length > 0 && { headers: Object.fromEntries(shown) }),
    ...(method !== 'HEAD' && exactBody(body, keys, baseUrl)),
  }
}

function exactBody(
  body: ExchangedBody | null,
  { told }: StrangeKeys,
  baseUrl: string,
): Pick<Expected, 'text' | 'base64'> {
  if (body === null || 'omitted' in body) return {}
  if ('base64' in body) return { base64: told.base64(body.base64) }
  return { text: exactText(told.text(body.text), baseUrl) }
}

function exactText(text: string, baseUrl: string): string | { $text: string } {
  if (!text.includes(baseUrl)) return text
  return { $text: plain(text).replaceAll(baseUrl, '{base_url}') }
}
