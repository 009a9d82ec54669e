import { abortOf, nextTurn } from '../../utils/wait.ts'
import type { State } from '../state.ts'
import type { Journal, JournalRecord } from './journal.ts'

/**
 * Streams the journal as server-sent events. A slow reader delays nothing: it reads on from its own position, and an
 * event says how many entries it missed.
 *
 * @param write writes a record as an event
 * @param lastId the id of the last entry that was received, or null to start with the next one. One that no entry has yet
 * is of an earlier journal: then the stream starts with the first entry
 * @param closed ends the stream
 */
export function streamEvents(
  { journal, events, memory }: Pick<State, 'journal' | 'events' | 'memory'>,
  write: (record: JournalRecord) => string,
  lastId: number | null,
  closed: AbortSignal = new AbortController().signal,
): ReadableStream<Uint8Array> {
  const after = lastId !== null && lastId > journal.lastId ? 0 : lastId
  let { position, missed } = positionAfter(journal, after)
  const start = after ?? journal.records.at(-1)?.id ?? (journal.position && journal.lastId)
  const head = memory.sentence && `: ${memory.sentence}\n`
  let stops: (() => void)[] = []
  let wake = (): void => {}

  const stop = (): void => {
    for (const unsubscribe of stops) unsubscribe()
  }

  const open = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    // Sends the headers at once. With the id, a client that reconnects before the first entry misses none.
    controller.enqueue(encode(`: the journal, an event for each entry\n${head}id: ${start}\n\n`))
    const end = (): void => {
      stop()
      for (let text = readOn(); text !== ''; text = readOn()) controller.enqueue(encode(text))
      controller.close()
    }
    if (journal.isClosed || closed.aborted) end()
    else
      stops = [events.on('response', () => wake()), events.on('close', end), abortOf(closed)(end)]
  }

  const readOn = (): string => {
    let text = ''
    while (text.length < chunkLength) {
      const next = journal.next(position)
      if (!next) break
      missed += next.position - position
      if (missed > 0) text += `event: missed\ndata: {"entries":${missed}}\n\n`
      missed = 0
      text += write(next.item)
      position = next.position + 1
    }
    return text
  }

  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      if (stops.length === 0) return open(controller)
      try {
        for (;;) {
          // After the response was sent, and once for all of this turn.
          await nextTurn()
          const text = readOn()
          if (text !== '') return controller.enqueue(encode(text))
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      } catch (error) {
        stop()
        throw error
      }
    },
    cancel: stop,
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** In characters. The entries that wait become one chunk of about this length, since each chunk costs a system call. */
const chunkLength = 16_384

interface StreamPosition {
  readonly position: number
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
