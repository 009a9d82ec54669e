import { bytesToExchangedBody, type Exchange, type ExchangedBody } from '../../http/exchange.ts'
import type { JournalPolicy } from '../../sandbox/journal/entry.ts'
import { Clock, type ClockReading } from '../../world/clock/clock.ts'
import type { AddedIds } from '../../world/edit/add-rows.ts'
import type { Change } from '../format/scenario.ts'

/** A request to send. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

/** A received response, or a broken connection. */
export interface ReceivedResponse {
  /** 0 if the connection broke before the response */
  readonly status: number
  readonly headers: Headers
  /** The body as text. Invalid bytes become U+FFFD */
  readonly text: string
  /** The whole body in base64, if it is binary */
  readonly base64?: string
  /** Whether the connection broke, before the response or within its body */
  readonly broken: boolean
}

/** An API in which a scenario is replayed. */
export interface Target {
  /** Without a slash at its end */
  readonly baseUrl: string
  /** The value of the key with a label. Returns undefined for an unknown label */
  key(label: string): string | undefined
  /** @throws UnreachableError if no server responds */
  send(request: SentRequest): Promise<ReceivedResponse>
  /** Changes the world. @returns the ids of added rows @throws UsageError for an invalid change */
  change(change: Change): Promise<AddedIds>
  /** The policies that the latest response used. Empty if they are unknown */
  policies(): Promise<readonly JournalPolicy[]>
  /** The settings of all policies. Empty if they are unknown */
  settings(): Promise<Readonly<Record<string, string | number>>>
  /** The current world as pieces of JSON text. Null if it is unknown and cannot be changed */
  world(): Promise<Iterable<string> | null>
  /** The state of the clock. Null if it is unknown */
  clock(): Promise<ClockReading | null>
  /** Frees the resources of the replay. */
  close(): Promise<void>
}

/** Wraps a target to call `onExchange` with each request and its response. */
export function observeTarget(target: Target, onExchange?: (exchange: Exchange) => void): Target {
  if (!onExchange) return target
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
      const start = performance.now()
      const response = await target.send(sent)
      const ms = performance.now() - start
      const { method, url, headers } = sent
      const key = labels.get(headers.authorization ?? '')
      onExchange({
        at,
        ms,
        method,
        url,
        ...(key !== undefined && { key }),
        request: { headers: Object.entries(headers), body: toRequestBody(sent) },
        response: toExchangedResponse(response),
      })
      return response
    },
  }
}

function toRequestBody({ body }: SentRequest): ExchangedBody | null {
  if (body === undefined || body.length === 0) return null
  return typeof body === 'string' ? { text: body } : bytesToExchangedBody(body)
}

function toExchangedResponse(response: ReceivedResponse): Exchange['response'] {
  const { status, headers, text, base64, broken } = response
  if (broken) return { status: 0, headers: [], body: null }
  const body = base64 === undefined ? { text } : { base64 }
  return { status, headers: [...headers], body: text === '' ? null : body }
}
