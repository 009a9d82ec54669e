import { AsyncQueue, encodeText, type QueueSource } from '../../utils/async-queue.ts'
import type { Journal } from './journal.ts'
import type { RendererCache } from './renderer.ts'

/** A journal that is read, and what it is shown with. */
interface FollowedJournal {
  readonly journal: Journal
  readonly rendering: RendererCache
}

/**
 * A journal as server-sent events. Nothing waits for a reader: each has a place in the journal, reads on from
 * there, and is told how much it has missed where it was too slow for what is kept.
 */
export class EventStream implements AsyncIterable<Uint8Array> {
  readonly #followed: FollowedJournal
  readonly #after: number | null

  constructor(followed: FollowedJournal, after: number | null) {
    this.#followed = followed
    this.#after = after
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    return new StreamReader(this.#followed, this.#after).feed
  }
}

/** One who reads it. */
class StreamReader implements QueueSource {
  readonly feed: AsyncQueue = new AsyncQueue(this)
  readonly #followed: FollowedJournal
  #stop: () => void = () => {}
  #position: number
  #missed: number
  #isGreeted = false

  constructor(followed: FollowedJournal, after: number | null) {
    this.#followed = followed
    const { position, missed } = positionAfter(followed, after)
    this.#position = position
    this.#missed = missed
  }

  close(): void {
    this.#stop()
  }

  read(): Uint8Array | null {
    if (!this.#isGreeted) return this.#greet()
    const { journal } = this.#followed
    const found = journal.next(this.#position)
    if (!found) return null
    const missed = this.#missed + found.position - this.#position
    this.#missed = 0
    this.#position = found.position
    if (missed > 0) return encodeText(`event: missed\ndata: {"entries":${missed}}\n\n`)
    this.#position += 1
    const { entry } = this.#followed.rendering.current.render(found.item)
    return encodeText(`id: ${entry.id}\nevent: entry\ndata: ${JSON.stringify(entry)}\n\n`)
  }

  /** Something has to be sent for the headers to leave. Who never reads is never told of anything. */
  #greet(): Uint8Array {
    this.#isGreeted = true
    this.#stop = this.#followed.journal.listen((record) => {
      if (record === null) this.feed.end()
      else this.feed.notify()
    })
    return encodeText(': the journal, an event for each entry\n\n')
  }
}

/** Where to go on, and how many in between are no longer kept. */
interface StreamPosition {
  readonly position: number
  readonly missed: number
}

/** The place behind an entry; of one that is no longer kept, before what came after it. */
function positionAfter({ journal }: FollowedJournal, after: number | null): StreamPosition {
  if (after === null) return { position: journal.position, missed: 0 }
  let first: StreamPosition | null = null
  for (let found = journal.next(0); found; found = journal.next(found.position + 1)) {
    const { id } = found.item
    if (id === after) return { position: found.position + 1, missed: 0 }
    if (id > after) first ??= { position: found.position, missed: id - after - 1 }
  }
  return first ?? { position: journal.position, missed: 0 }
}
