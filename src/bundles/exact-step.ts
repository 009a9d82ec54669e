import { plain } from '../recordings/address.ts'
import type { Exchange } from '../recordings/exchange.ts'
import type { RequestStep } from '../scenarios/scenario.ts'
import { exactAnswer } from './exact-answer.ts'
import { exactBody } from './exact-body.ts'
import type { StrangeKeys } from './strange-keys.ts'

/** Headers that an answer depends on; what else is sent may be nobody's business. */
const telling = ['accept', 'content-type']

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** A step, or why there can be none. */
export type ExactStep = { readonly step: RequestStep } | { readonly lost: string }

/**
 * A request as it was sent, and its answer as it came, byte for byte: only where the API begins is left open.
 * Keys that nobody knows, which may be somebody's own, are replaced.
 *
 * @param keys replaces them
 * @param baseUrl where the API begins, without a slash at its end; by default the origin of the request
 */
export function exactStep(
  exchange: Exchange,
  keys: StrangeKeys,
  baseUrl: string = /^https?:\/\/[^/]*/.exec(exchange.url)?.[0] ?? '',
): ExactStep {
  const { method, url, request } = exchange
  keys.meet(exchange)
  const target = keys.asked.address(url.slice(baseUrl.length))
  if (!methods.includes(method)) return { lost: `a request of the method ${method}` }
  if (!isPlain(target)) return { lost: `a request to an address that cannot be written: ${target}` }
  const { as, authorization } = keys.ofStep(request.headers)
  const body = exactBody(exchange, keys)
  if (body === null) return { lost: `a request whose body was not kept: ${method} ${target}` }
  const headers = Object.fromEntries([
    ...request.headers
      .filter(
        ([name, value]) => telling.includes(name) && !body.says.includes(name) && value !== '*/*',
      )
      .map(([name, value]) => [name, keys.asked.header(name, value)]),
    ...(authorization === undefined ? [] : [['authorization', authorization]]),
  ])
  return {
    step: {
      ...(as !== undefined && { as }),
      method,
      path: plain(target),
      ...(Object.keys(headers).length > 0 && { headers: mapped(headers, plain) }),
      ...body.sent,
      expect: exactAnswer(exchange, keys, baseUrl),
    } as RequestStep,
  }
}

/** Whether an address is sent as it is written. */
function isPlain(target: string): boolean {
  if (!/^\/[^\s#]*$/.test(target)) return false
  const url = `http://localhost${target}`
  return URL.canParse(url) && new URL(url).href === url
}

function mapped(
  headers: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)]))
}
