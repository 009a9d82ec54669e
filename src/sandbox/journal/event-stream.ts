import { AsyncQueue, encodeText } from '../../utils/async-queue.ts'
import type { JournalEntry } from './entry.ts'
import type { Journal } from './journal.ts'
import type { JournalRecord } from './record.ts'

/**
 * Streams the journal as server-sent events. A slow reader delays nothing: it reads on from its own position, and an
 * event says how many entries it missed.
 *
 * @param after the id of the last entry that was received, or null to start with the next one
 */
export function streamEvents(
  journal: Journal,
  render: (record: JournalRecord) => JournalEntry,
  after: number | null,
): AsyncQueue {
  let { position, missed } = positionAfter(journal, after)
  let stopListening: (() => void) | null = null

  const read = (): Uint8Array | null => {
    if (!stopListening) {
      stopListening = journal.listen((record) => {
        if (record === null) queue.end()
        else queue.notify()
      })
      // A comment, so that the headers are sent at once.
      return encodeText(': the journal, an event for each entry\n\n')
    }
    const next = journal.next(position)
    if (!next) return null
    missed += next.position - position
    position = next.position
    if (missed > 0) {
      const chunk = encodeText(`event: missed\ndata: {"entries":${missed}}\n\n`)
      missed = 0
      return chunk
    }
    position += 1
    const entry = render(next.item)
    return encodeText(`id: ${entry.id}\nevent: entry\ndata: ${JSON.stringify(entry)}\n\n`)
  }

  const queue = new AsyncQueue({ read, close: () => stopListening?.() })
  return queue
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
