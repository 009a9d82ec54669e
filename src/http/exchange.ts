import { utf8Length } from '../utils/json.ts'
import { bytesToText } from './input.ts'

/** A request and its response as sent over the network. Recordings and HAR archives are made from exchanges. */
export interface Exchange {
  /** When the request arrived: ISO 8601, UTC. */
  readonly at: string
  /** The duration until the response was complete, in milliseconds. */
  readonly ms: number
  readonly method: string
  /** Absolute, with the query. */
  readonly url: string
  /** The label of the key, if it is known; null for a request without a key. */
  readonly key?: string | null
  /** The page that sent the request, as an archive names it. */
  readonly page?: string
  readonly request: ExchangedMessage
  readonly response: ExchangedResponse
  /** What the client noted about the response, if its status is 0. */
  readonly lost?: LostResponse
}

/** What a client noted about a response that it did not get. */
export interface LostResponse {
  /** The text of the client, such as `net::ERR_TIMED_OUT` */
  readonly error?: string
  /** The part of the response that arrived: its status, and the number of bytes of its body */
  readonly arrived?: { readonly status: number; readonly bytes: number }
}

/** A header. `record` keeps the case of its name. */
export type HeaderPair = readonly [name: string, value: string]

export function findHeader(headers: readonly HeaderPair[], name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1]
}

/** Headers and a body. */
export interface ExchangedMessage {
  readonly headers: readonly HeaderPair[]
  readonly body: ExchangedBody | null
}

/** A response as sent over the network. */
export interface ExchangedResponse extends ExchangedMessage {
  /** 0 if the connection broke before the response. */
  readonly status: number
}

/**
 * A body: text, binary data in base64, or only the number of bytes if the body was not stored. Text in which secrets were
 * replaced can have the number of `bytes` that it had before.
 */
export type ExchangedBody =
  | { readonly text: string; readonly bytes?: number }
  | { readonly base64: string }
  | { readonly omitted: number }

/** @param type the header `content-type`. It can name another charset than UTF-8 */
export function bytesToExchangedBody(bytes: Uint8Array, type?: string): ExchangedBody {
  const text = bytesToText(bytes, type)
  return text === null ? { base64: encodeBase64(bytes) } : { text }
}

export function exchangedLength(body: ExchangedBody | null): number {
  if (body === null) return 0
  if ('omitted' in body) return body.omitted
  if ('text' in body) return body.bytes ?? utf8Length(body.text)
  const { base64 } = body
  return (base64.length / 4) * 3 - (/=*$/.exec(base64)?.[0].length ?? 0)
}

export function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

function encodeBase64(bytes: Uint8Array) {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

export function isFormBody(headers: readonly HeaderPair[]): boolean {
  return /^application\/x-www-form-urlencoded/i.test(findHeader(headers, 'content-type') ?? '')
}
