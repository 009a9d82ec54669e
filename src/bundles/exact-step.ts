import { escapeBraces } from '../recordings/address.ts'
import type { Exchange } from '../recordings/exchange.ts'
import type { RequestStep } from '../scenarios/scenario.ts'
import { toExactResponse } from './exact-answer.ts'
import { toExactBody } from './exact-body.ts'
import type { UnknownKeys } from './strange-keys.ts'

/** Headers that an answer depends on; what else is sent may be nobody's business. */
const exactHeaders = ['accept', 'content-type']

const exactMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** A step, or why there can be none. */
export type ExactStep = { readonly step: RequestStep } | { readonly lost: string }

/**
 * A request as it was sent, and its answer as it came, byte for byte: only where the API begins is left open.
 * Keys that nobody knows, which may be somebody's own, are replaced.
 *
 * @param keys replaces them
 * @param baseUrl where the API begins, without a slash at its end; by default the origin of the request
 */
export function toExactStep(
  exchange: Exchange,
  keys: UnknownKeys,
  baseUrl: string = /^https?:\/\/[^/]*/.exec(exchange.url)?.[0] ?? '',
): ExactStep {
  const { method, url, request } = exchange
  keys.collect(exchange)
  const target = keys.requestHider.url(url.slice(baseUrl.length))
  if (!exactMethods.includes(method)) return { lost: `a request of the method ${method}` }
  if (!isSentAsWritten(target))
    return { lost: `a request to an address that cannot be written: ${target}` }
  const { as, authorization } = keys.keyForStep(request.headers)
  const body = toExactBody(exchange, keys)
  if (body === null) return { lost: `a request whose body was not kept: ${method} ${target}` }
  const headers = Object.fromEntries([
    ...request.headers
      .filter(
        ([name, value]) =>
          exactHeaders.includes(name) && !body.impliedHeaders.includes(name) && value !== '*/*',
      )
      .map(([name, value]) => [name, keys.requestHider.header(name, value)]),
    ...(authorization === undefined ? [] : [['authorization', authorization]]),
  ])
  return {
    step: {
      ...(as !== undefined && { as }),
      method,
      path: escapeBraces(target),
      ...(Object.keys(headers).length > 0 && { headers: mapHeaders(headers, escapeBraces) }),
      ...body.sent,
      expect: toExactResponse(exchange, keys, baseUrl),
    } as RequestStep,
  }
}

/** Whether an address is sent as it is written. */
function isSentAsWritten(target: string): boolean {
  if (!/^\/[^\s#]*$/.test(target)) return false
  const url = `http://localhost${target}`
  return URL.canParse(url) && new URL(url).href === url
}

function mapHeaders(
  headers: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)]))
}
