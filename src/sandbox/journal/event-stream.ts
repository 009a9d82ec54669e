import { AsyncQueue, encodeText, type QueueSource } from '../../utils/async-queue.ts'
import type { Journal } from './journal.ts'
import type { RendererCache } from './renderer.ts'

/**
 * The journal as server-sent events. A slow reader delays nothing: it reads on from its own position, and an event
 * says how many entries it missed.
 */
export class EventStream implements QueueSource {
  readonly queue: AsyncQueue = new AsyncQueue(this)
  readonly #journal: Journal
  readonly #renderers: RendererCache
  #stopListening: () => void = () => {}
  #position: number
  #missed: number
  #hasStarted = false

  /** @param after the id of the last entry that was received, or null to start with the next one */
  constructor(journal: Journal, renderers: RendererCache, after: number | null) {
    this.#journal = journal
    this.#renderers = renderers
    const { position, missed } = positionAfter(journal, after)
    this.#position = position
    this.#missed = missed
  }

  close(): void {
    this.#stopListening()
  }

  read(): Uint8Array | null {
    if (!this.#hasStarted) return this.#start()
    const next = this.#journal.next(this.#position)
    if (!next) return null
    const missed = this.#missed + next.position - this.#position
    this.#missed = 0
    this.#position = next.position
    if (missed > 0) return encodeText(`event: missed\ndata: {"entries":${missed}}\n\n`)
    this.#position += 1
    const { entry } = this.#renderers.current.render(next.item)
    return encodeText(`id: ${entry.id}\nevent: entry\ndata: ${JSON.stringify(entry)}\n\n`)
  }

  /** Sends a comment, so that the headers are sent at once. Listens from the first read on. */
  #start(): Uint8Array {
    this.#hasStarted = true
    this.#stopListening = this.#journal.listen((record) => {
      if (record === null) this.queue.end()
      else this.queue.notify()
    })
    return encodeText(': the journal, an event for each entry\n\n')
  }
}

interface StreamPosition {
  readonly position: number
  /** How many entries in between were evicted */
  readonly missed: number
}

/** Finds the position after an entry. If the entry was evicted, it is the position of the next one that was not. */
function positionAfter(journal: Journal, after: number | null): StreamPosition {
  if (after === null) return { position: journal.position, missed: 0 }
  let firstLater: StreamPosition | null = null
  for (let next = journal.next(0); next; next = journal.next(next.position + 1)) {
    const { id } = next.item
    if (id === after) return { position: next.position + 1, missed: 0 }
    if (id > after) firstLater ??= { position: next.position, missed: id - after - 1 }
  }
  return firstLater ?? { position: journal.position, missed: 0 }
}
