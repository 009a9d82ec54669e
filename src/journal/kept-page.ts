import type { ApiResponse } from '../http/call.ts'
import { type JsonPage, type JsonPageParts, joinPageParts } from '../wire.ts'

/** An answer without its text, which is put together again when somebody asks. */
export class StoredPage {
  readonly status: number
  readonly headers: ApiResponse['headers']
  readonly ascii: boolean
  readonly #pieces: JsonPageParts
  readonly #bytes: number

  constructor(
    { status, headers, text, ascii }: Pick<ApiResponse, 'status' | 'headers' | 'text' | 'ascii'>,
    { parts }: JsonPage<unknown>,
  ) {
    this.status = status
    this.headers = headers
    this.ascii = ascii
    this.#pieces = parts
    this.#bytes = text.length
  }

  get text(): string {
    return joinPageParts(this.#pieces)
  }

  /** Of the text, in characters. */
  get length(): number {
    return this.#bytes
  }
}
