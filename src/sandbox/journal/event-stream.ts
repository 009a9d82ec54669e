import { AsyncQueue, encodeText } from '../../utils/async-queue.ts'
import { nextTurn, wait } from '../../utils/wait.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Journal, JournalRecord } from './journal.ts'

/**
 * Streams the journal as server-sent events. A slow reader delays nothing: it reads on from its own position, and an
 * event says how many entries it missed.
 *
 * @param render renders a record as an event
 * @param after the id of the last entry that was received, or null to start with the next one
 */
export function streamEvents(
  { journal, events }: { readonly journal: Journal; readonly events: Sandbox['events'] },
  render: (record: JournalRecord) => string,
  after: number | null,
  notifier: StreamNotifier,
): AsyncQueue {
  let { position, missed } = positionAfter(journal, after)
  const start = after ?? journal.records.at(-1)?.id ?? (journal.position && journal.lastId)
  let stops: (() => void)[] = []

  const read = (): Uint8Array | null => {
    if (stops.length === 0) {
      stops = [
        events.on('response', () => notifier.add(queue)),
        events.on('close', () => queue.end()),
      ]
      if (journal.isClosed) queue.end()
      // Sends the headers at once. With the id, a client that reconnects before the first entry misses none.
      return encodeText(`: the journal, an event for each entry\nid: ${start}\n\n`)
    }
    if (!notifier.isTurn) {
      if (journal.next(position)) notifier.add(queue)
      return null
    }
    let text = ''
    while (text.length < chunkLength) {
      const next = journal.next(position)
      if (!next) break
      missed += next.position - position
      if (missed > 0) text += `event: missed\ndata: {"entries":${missed}}\n\n`
      missed = 0
      text += render(next.item)
      position = next.position + 1
    }
    return text === '' ? null : encodeText(text)
  }

  const close = (): void => {
    for (const stop of stops) stop()
  }
  const queue = new AsyncQueue({ read, close })
  return queue
}

/** In characters. The entries that wait become one chunk of about this length, since each chunk costs a system call. */
const chunkLength = 16_384

/** How many streams are notified in one turn of the event loop. */
const batchSize = 4

/**
 * Gives the streams of a journal their turns to read, after the response to a request. Streams use at most a quarter of
 * the time, so that even many of them do not delay requests. Under load they lag, and miss entries at worst.
 */
export class StreamNotifier {
  readonly #streams = new Set<AsyncQueue>()
  #isRunning = false
  /** Whether the streams may read. */
  isTurn = false

  add(stream: AsyncQueue): void {
    this.#streams.add(stream)
    if (!this.#isRunning) void this.#run()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    await nextTurn()
    for (let pause = 0; this.#streams.size > 0; ) {
      const start = performance.now()
      this.#notifyBatch()
      // The chunks are written before the next turn.
      await nextTurn()
      pause += 3 * (performance.now() - start)
      if (pause < 1) continue
      await wait(pause)
      pause = 0
    }
    this.#isRunning = false
  }

  #notifyBatch(): void {
    this.isTurn = true
    let count = 0
    for (const stream of this.#streams) {
      this.#streams.delete(stream)
      stream.notify()
      count += 1
      if (count === batchSize) break
    }
    this.isTurn = false
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
