import type { JsonPage } from '../utils/json-text.ts'

/** What was asked, free of any transport. */
export interface ApiRequest {
  readonly method: string
  /** Absolute, as the caller addressed it: links are built from it. */
  readonly url: string
  /** The path and the query in it. */
  readonly target: string
  /** What follows `?` in it. */
  readonly query: string
  readonly headers: RequestHeaders
  /** The bytes of the body; null where there are none; `too_large` where they passed the limit and were let go. */
  readonly body: Uint8Array | null | 'too_large'
  /** All that the bytes of the body say, once somebody has read them: who keeps it need not keep them. */
  text?: string | undefined
  /** Has a listener told when the caller goes away before its answer has arrived; gives the way to stop listening. */
  onAbort?(listener: () => void): () => void
}

/** Headers by their lower-case names, as fetch has them. */
export interface RequestHeaders {
  get(name: string): string | null
  entries(): Iterable<[string, string]>
  /** How many bytes names and values are together, where that is known without a copy of them. */
  readonly bytes?: number
}

/** What is known of a call before its body is read. */
export type RequestHead = Pick<ApiRequest, 'url' | 'headers'>

/** What is answered, free of any transport: the text is already JSON. */
export interface ApiResponse {
  /** 0 where the network fails in place of an answer, as in fetch. */
  readonly status: number
  /** Lower-case names; content-length is always among them. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Whether each character of the text is one byte, which transports can write without encoding. */
  readonly ascii: boolean
  /** What the text was put together from, where it was: whoever keeps an answer keeps its pieces. */
  readonly page?: JsonPage<unknown> | undefined
  /** Sent piece by piece in place of the text. Where it throws, the connection breaks. */
  readonly stream?: AsyncIterable<Uint8Array>
}
