/** A request and what it was answered, as they went over the wire: what recordings and archives are made from. */
export interface Exchange {
  /** When the request came: ISO 8601, UTC */
  readonly at: string
  /** How long the answer took, in milliseconds */
  readonly ms: number
  readonly method: string
  /** Whole, with origin and query, as it was sent */
  readonly url: string
  /** The label of the key it was sent with, where that is known; null for a request without a key */
  readonly key?: string | null
  readonly request: ExchangedMessage
  readonly answer: ExchangedResponse
}

/** A header: its name as it was written, and its value. */
export type HeaderPair = readonly [name: string, value: string]

/** The value of the first header with this lowercase name. */
export function findHeader(headers: readonly HeaderPair[], name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1]
}

/** Headers and a body. */
export interface ExchangedMessage {
  /** In the order of the wire; names as they were written */
  readonly headers: readonly HeaderPair[]
  /** Null where there was none */
  readonly body: ExchangedBody | null
}

/** What was answered. */
export interface ExchangedResponse extends ExchangedMessage {
  /** 0 for a connection that broke before an answer */
  readonly status: number
}

/** A body: a text, bytes that are no text, or only how many bytes it had where nobody kept it. */
export type ExchangedBody =
  | { readonly text: string }
  | { readonly base64: string }
  | { readonly omitted: number }

/** Bytes as a text where they are one, else in base64. */
export function bytesToExchangedBody(bytes: Uint8Array): ExchangedBody {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return { base64: encodeBase64(bytes) }
  }
}

/** The bytes of a text in base64. */
export function encodeTextBase64(text: string): string {
  return encodeBase64(new TextEncoder().encode(text))
}

/** What stands in base64. */
export function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
}

/** Any bytes in base64. */
export function encodeBase64(bytes: Uint8Array): string {
  let signs = ''
  for (const byte of bytes) signs += String.fromCharCode(byte)
  return btoa(signs)
}
