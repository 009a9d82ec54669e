import { type Exchange, findHeader } from '../../http/exchange.ts'
import { bodilessStatuses } from '../../sandbox/faults/effects.ts'
import type { FaultEffect } from '../../sandbox/faults/rule.ts'
import { escapeLiterals } from '../../scenarios/format/values.ts'
import type { Json } from '../../utils/json.ts'

/** A response that takes longer is slow, in milliseconds. */
const slowResponse = 2_000

/** The longest delay of a fault, in milliseconds. */
const maxDelay = 86_400_000

/** The headers of a response that a client acts on, besides the content type. */
const actedOn = ['location', 'retry-after', 'www-authenticate']

/**
 * The effect that makes a simulator respond as this service did, if that was no usual response: a lost or slow one, an
 * error of the server or of a proxy, a refusal by a rate limit, or a text in place of JSON. Null for a usual response.
 *
 * @param body the parsed body of the response. Undefined if it is not JSON
 */
export function abnormalEffect(exchange: Exchange, body: Json | undefined): FaultEffect | null {
  const effect = mainEffectOf(exchange, body)
  const ms = Math.min(Math.round(exchange.ms), maxDelay)
  // A client that gave up waits again. A server that waited for its limit does not have to.
  if (ms < slowResponse) return effect
  return { ...effect, delay_ms: ms }
}

function mainEffectOf(exchange: Exchange, body: Json | undefined): FaultEffect | null {
  const { lost, response, method } = exchange
  const { status, headers } = response
  if (status === 0) return lost?.arrived ? cutEffect(lost.arrived, method) : { drop: true }
  const text = response.body && 'text' in response.body ? response.body.text : ''
  const isReplaced = body === undefined && text.trim() !== '' && !isBodiless(status)
  const isAbnormal = status >= 500 || status === 429 || (status >= 300 && status < 400)
  if (!isAbnormal && !isReplaced) return null
  if (status < 200 || status > 599) return null
  const type = findHeader(headers, 'content-type')
  const shownHeaders = [
    ...(body === undefined && type !== undefined ? [['content-type', type]] : []),
    ...actedOn.flatMap((name) => {
      const value = findHeader(headers, name)
      return value !== undefined && writable.test(value) ? [[name, value]] : []
    }),
  ]
  const sent = body === undefined ? text : (escapeLiterals(body) as Json)
  return {
    status,
    ...(shownHeaders.length > 0 && { headers: Object.fromEntries(shownHeaders) }),
    ...(text !== '' && !isBodiless(status) && { body: sent }),
  }
}

const writable = /^[\t\x20-\x7e\x80-\xff]*$/

function isBodiless(status: number): boolean {
  return bodilessStatuses.includes(status)
}

/** A simulated body can be shorter than the recorded one, so a body that almost arrived breaks off halfway. */
function cutEffect(
  { bytes }: NonNullable<NonNullable<Exchange['lost']>['arrived']>,
  method: string,
): FaultEffect {
  return method === 'HEAD' || bytes > 0 ? { drop: true } : { cut_bytes: 0 }
}
