import type { Exchange, ExchangedBody } from '../../http/exchange.ts'
import { bytesToExchangedBody } from '../../http/exchange.ts'
import { Clock } from '../../world/clock/clock.ts'
import type { ReceivedResponse, SentRequest, Target } from './target.ts'

/** The same target; each request is told of with its answer, once that has come. */
export function observeTarget(target: Target, tell?: (exchange: Exchange) => void): Target {
  if (!tell) return target
  const labels = new Map<string, string>()
  const clock = new Clock()
  return {
    ...target,
    key(label) {
      const value = target.key(label)
      if (value !== undefined) labels.set(`Bearer ${value}`, label)
      return value
    },
    async send(sent) {
      const at = new Date(clock.now()).toISOString()
      const began = performance.now()
      const heard = await target.send(sent)
      const ms = performance.now() - began
      const { method, url, headers } = sent
      const key = labels.get(headers.authorization ?? '')
      const request = { headers: Object.entries(headers), body: toExchangedBody(sent) }
      const known = key !== undefined && { key }
      tell({ at, ms, method, url, ...known, request, answer: toExchangedResponse(heard) })
      return heard
    },
  }
}

function toExchangedBody({ body }: SentRequest): ExchangedBody | null {
  if (body === undefined || body.length === 0) return null
  return typeof body === 'string' ? { text: body } : bytesToExchangedBody(body)
}

function toExchangedResponse({
  status,
  headers,
  text,
  base64,
  broken,
}: ReceivedResponse): Exchange['answer'] {
  if (broken) return { status: 0, headers: [], body: null }
  const body = base64 === undefined ? { text } : { base64 }
  return { status, headers: [...headers], body: text === '' ? null : body }
}
