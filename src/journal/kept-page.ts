import type { Answer } from '../http/call.ts'
import { type PageWire, type Pieces, textOf } from '../wire.ts'

/** An answer without its text, which is put together again when somebody asks. */
export class KeptPage {
  readonly status: number
  readonly headers: Answer['headers']
  readonly ascii: boolean
  readonly #pieces: Pieces
  readonly #bytes: number

  constructor(
    { status, headers, text, ascii }: Pick<Answer, 'status' | 'headers' | 'text' | 'ascii'>,
    { pieces }: PageWire<unknown>,
  ) {
    this.status = status
    this.headers = headers
    this.ascii = ascii
    this.#pieces = pieces
    this.#bytes = text.length
  }

  get text(): string {
    return textOf(this.#pieces)
  }

  /** Of the text, in characters. */
  get length(): number {
    return this.#bytes
  }
}
