import type { JsonPage } from '../utils/json-text.ts'

/** A request, independent of the transport. */
export interface ApiRequest {
  readonly method: string
  /** Absolute, as the client addressed it. The links of a page are built from it. */
  readonly url: string
  /** The path and query of the URL. */
  readonly target: string
  /** The part of the URL after `?`. */
  readonly query: string
  readonly headers: RequestHeaders
  /** Null without a body. A body beyond the limit is `too_large`, and its bytes are dropped. */
  readonly body: Uint8Array | null | 'too_large'
  /** The decoded body, set if it is equivalent to the bytes. It is stored in place of them. */
  text?: string | undefined
  /**
   * Registers a listener that is called if the client disconnects before the response is complete. Returns a function
   * that removes the listener.
   */
  onAbort?(listener: () => void): () => void
}

/** The headers of a request, by their lowercase names. */
export interface RequestHeaders {
  get(name: string): string | null
  entries(): Iterable<[string, string]>
  /** The length of all names and values in bytes, if it is known without copying them. */
  readonly bytes?: number
}

/** The part of a request that is known before its body. */
export type RequestHead = Pick<ApiRequest, 'url' | 'headers'>

/** A response, independent of the transport. */
export interface ApiResponse {
  /** 0 for a network error in place of a response, as in fetch. */
  readonly status: number
  /** By lowercase name. Contains `content-length`, unless the body is streamed. */
  readonly headers: Readonly<Record<string, string>>
  /** The body, as text. */
  readonly text: string
  /** Whether every character of the text is one byte, so that a transport can write it without encoding. */
  readonly ascii: boolean
  /** The page that the text was joined from. The journal stores its parts instead of the text. */
  readonly page?: JsonPage<unknown> | undefined
  /** The chunks of a streamed body, which replace the text. If the stream throws, the connection breaks. */
  readonly stream?: AsyncIterable<Uint8Array>
}
