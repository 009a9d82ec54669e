import { abortOf } from '../../utils/abort.ts'
import { AsyncQueue, encodeText } from '../../utils/async-queue.ts'
import { wait } from '../../utils/wait.ts'

/** The events of this replica. */
interface OwnEvents {
  readonly number: number
  readonly events: AsyncIterable<Uint8Array>
}

/** The events of another replica. */
interface OtherEvents {
  readonly number: number
  /** Opens its stream. @param lastId the id after which it starts, or null for the next event */
  open(lastId: number | null, signal: AbortSignal): Promise<Response>
  /** Returns a text that differs after a restart, or null without a response. */
  readInstance(): Promise<string | null>
}

/** In milliseconds */
const pause = 1_000

/**
 * Merges server-sent events of several journals as they arrive. Each entry gets the number of its replica and loses its
 * id, which counts within one replica only. An event `unavailable` names a replica that does not respond.
 */
export function mergeEvents(
  own: OwnEvents,
  others: readonly OtherEvents[],
): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => openMergedEvents(own, others) }
}

function openMergedEvents(own: OwnEvents, others: readonly OtherEvents[]): AsyncQueue {
  const closing = new AbortController()
  const ownEvents = own.events[Symbol.asyncIterator]()
  const sources = [
    addNumbers(own.number, { [Symbol.asyncIterator]: () => ownEvents }),
    ...others.map((other) => followReplica(other, closing.signal)),
  ]
  // At most one chunk of each source, so that a slow consumer slows the sources, and a busy one delays no other.
  const ready: { source: AsyncGenerator<Uint8Array>; chunk: Uint8Array | undefined }[] = []
  const readNext = async (source: AsyncGenerator<Uint8Array>): Promise<void> => {
    const { value: chunk } = await source.next().catch(() => ended)
    ready.push({ source, chunk })
    queue.notify()
  }
  const queue = new AsyncQueue({
    read() {
      const next = ready.shift()
      if (!next) return null
      // The journal of this replica ends with the server. Other ones are followed until the consumer stops.
      if (!next.chunk) return 'end'
      void readNext(next.source)
      return next.chunk
    },
    close() {
      closing.abort()
      void ownEvents.return?.()
    },
  })
  for (const source of sources) void readNext(source)
  return queue
}

const ended = { value: undefined }

/** Follows the journal of another replica, also after it was restarted. */
async function* followReplica(
  { number, open, readInstance }: OtherEvents,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let lastId: number | null = null
  let instance = await readInstance()
  let isAvailable = true
  while (!signal.aborted) {
    let openedAt = Number.POSITIVE_INFINITY
    try {
      const { ok, status, body } = await open(lastId, signal)
      // Otherwise each attempt would leave a connection open.
      if (!ok) await body?.cancel()
      if (!ok || !body) throw new Error(`Status ${status}`)
      isAvailable = true
      openedAt = performance.now()
      for await (const chunk of addNumbers(number, body, (id) => (lastId = id))) yield chunk
    } catch {
      // Tried again below.
    }
    if (signal.aborted) return
    // A connection that lasted was closed by a timeout or a proxy in between. Then the replica responds at once.
    if (performance.now() - openedAt < pause) {
      if (isAvailable) yield encodeText(`event: unavailable\ndata: {"replica":${number}}\n\n`)
      isAvailable = false
      await wait(pause, abortOf(signal))
    }
    const current = await readInstance()
    // The journal of a new run starts with entry 1.
    if (current !== null && current !== instance) lastId = 0
    instance = current ?? instance
  }
}

/** Adds the number of the replica to each entry. */
async function* addNumbers(
  number: number,
  chunks: AsyncIterable<Uint8Array>,
  onId: (id: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true })
    const end = text.lastIndexOf('\n\n') + 2
    if (end < 2) continue
    // Not `^`, which also matches after a line separator within an entry.
    const events = text.slice(0, end).replace(/(?<![^\n])id: (\d+)\n/g, (_, id) => {
      onId(Number(id))
      return ''
    })
    text = text.slice(end)
    yield encodeText(events.replace(/(?<![^\n])data: \{/g, `data: {"replica":${number},`))
  }
}
