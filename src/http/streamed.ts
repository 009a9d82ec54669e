/** What `handle` gives for an answer that goes on: its pieces as they come. */
export class StreamedBody<R> {
  /** The content type. */
  readonly type: string
  readonly chunks: AsyncIterable<Uint8Array>
  /** Never set: it carries the type of what documents say of the answer. */
  declare readonly shape?: R

  constructor(type: string, pieces: AsyncIterable<Uint8Array>) {
    this.type = type
    this.chunks = pieces
  }
}
