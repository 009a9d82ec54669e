import type { Har } from 'har-format'
import { createHar, toHarEntry } from '../../adapters/har/write-har.ts'
import { MistakeFinder } from '../../mistakes/mistake-finder.ts'
import type { ClientMistake } from '../../mistakes/rule.ts'
import { hideRecords } from '../../scenarios/recording/capture-journal.ts'
import { parseOptions } from '../../utils/schema-issues.ts'
import { abortOf, nextTurn } from '../../utils/wait.ts'
import type { State } from '../state.ts'
import type { JournalEntry } from './entry.ts'
import {
  type EntryQuery,
  entryQuerySchema,
  filterRecords,
  type JournalFilter,
  journalFilterSchema,
  streamQuerySchema,
} from './filter.ts'
import type { Journal, JournalRecord } from './journal.ts'
import { type Expectation, type VerifyResult, verify } from './verify.ts'
import { describeWaiting, WrittenEntry } from './written-entry.ts'

/**
 * The latest requests to a simulator and their responses, with masked keys. Restoring or resetting the world does not
 * change the journal.
 *
 * @example simulator.journal.find({ operation: 'createAnnotation', status: '4xx' })
 */
export class JournalReader {
  readonly #state: State
  /** What readers of events read in this turn, by where it begins: they share it */
  readonly #chunks = new Map<string, Chunk>()

  /** @internal */
  constructor(state: State) {
    this.#state = state
  }

  /**
   * Finds the entries that match a filter, in the order in which the requests arrived.
   *
   * @throws UsageError for an invalid filter
   */
  find(query: EntryQuery = {}): JournalEntry[] {
    return this.show(query).map((entry) => JSON.parse(JSON.stringify(entry)))
  }

  /** Like `find`, without copies: the caller must not change the entries. @internal */
  show(query: EntryQuery): JournalEntry[] {
    const { bodies, ...filter } = parseOptions(entryQuerySchema, query, 'search the journal')
    return this.#select(filter).map((entry) => entry.toJSON(bodies))
  }

  /** The latest entries, whose parts are written when they are asked for. @internal */
  latest(count: number): WrittenEntry[] {
    return this.#select({ limit: count })
  }

  /** Returns an entry, or undefined if its id is unknown or it was evicted. */
  get(id: number): JournalEntry | undefined {
    const record = this.#state.journal.records.find((kept) => kept.id === id)
    return record && this.entryOf(record)
  }

  /**
   * Checks whether the expected requests were received. Otherwise the result shows the closest ones.
   *
   * @throws UsageError for an invalid expectation, and for an unknown key
   * @example simulator.journal.verify({ operation: 'createAnnotation', body: { content: 'Launch' }, count: 1 })
   */
  verify(expectation: Expectation): VerifyResult {
    return verify(expectation, this.#state, this.waiting())
  }

  /**
   * Finds the mistakes that clients made, such as a DELETE whose refusal was overlooked. A refusal that a later
   * request makes good is not listed.
   *
   * @example simulator.journal.mistakes().map(({ rule }) => rule) // ['swallowed-delete']
   */
  mistakes(): ClientMistake[] {
    return this.findMistakes()
  }

  /** @internal */
  findMistakes(sandboxId: string | null = null): ClientMistake[] {
    const finder = new MistakeFinder({ sandboxId })
    for (const entry of this.#select({})) finder.add(entry.compact)
    return finder.found
  }

  /** Says which requests have no response yet, and what delays them. */
  waiting(): string[] {
    const { journal, labels } = this.#state
    return describeWaiting(journal.waiting, labels.redactor)
  }

  /**
   * Exports the entries as an HTTP archive (HAR 1.2). Since it can be passed on, secrets and personal data are replaced, as in
   * a recording.
   *
   * @throws UsageError for an invalid filter
   */
  toHar(filter: JournalFilter = {}): Har {
    const hidden = hideRecords(
      this.#select(parseOptions(journalFilterSchema, filter, 'search the journal')),
      this.#state,
    )
    const entries = hidden.map(({ exchange, comment }) => toHarEntry(exchange, comment))
    return createHar(entries, this.#state.journal.cut)
  }

  /** Removes all entries. Ids are not reused. */
  clear(): void {
    this.#state.journal.clear()
  }

  /**
   * Calls a listener with each new entry, before the response is sent.
   *
   * @returns a function that removes the listener
   * @example const stop = simulator.journal.follow(({ method, path }) => console.log(method, path))
   */
  follow(listener: (entry: JournalEntry) => void): () => void {
    return this.followWritten((entry) => listener(entry.toJSON()))
  }

  /**
   * Calls a listener with each new entry, whose parts are written when they are asked for. Its record has the keys in full.
   *
   * @returns a function that removes the listener
   *
   * @internal
   */
  followWritten(listener: (entry: WrittenEntry) => void): () => void {
    return this.#state.events.on('response', (...sent) => listener(this.#write(...sent)))
  }

  /** A record as an entry. @internal */
  entryOf(record: JournalRecord, hasBodies = true): JournalEntry {
    return this.#write(record).toJSON(hasBodies)
  }

  /** Masks the keys in a URL, or in a path with its query. @internal */
  redactUrl(url: string): string {
    return this.#state.labels.redactor.url(url)
  }

  /**
   * Streams new entries as server-sent events, until the reader stops.
   *
   * @param after the id of the last entry that was received. The stream starts after it
   * @param closed ends the stream
   * @param query whether the entries have headers and bodies
   * @throws UsageError for an invalid query
   */
  events(
    after: number | null = null,
    closed?: AbortSignal,
    query: Pick<EntryQuery, 'bodies'> = {},
  ): ReadableStream<Uint8Array> {
    const { bodies } = parseOptions(streamQuerySchema, query, 'follow the journal')
    return streamEvents(this.#state, (start) => this.#chunkAt(start, bodies), after, closed)
  }

  #chunkAt({ position, missed }: StreamPosition, hasBodies: boolean | undefined): Chunk {
    const start = `${position} ${missed} ${hasBodies}`
    const known = this.#chunks.get(start)
    if (known) return known
    const chunk = readChunk(this.#state.journal, { position, missed }, (record) => {
      const entry = this.#write(record).toJSON(hasBodies)
      return `id: ${record.id}\nevent: entry\ndata: ${JSON.stringify(entry)}\n\n`
    })
    if (chunk.text === '') return chunk
    this.#chunks.set(start, chunk)
    void nextTurn().then(() => this.#chunks.delete(start))
    return chunk
  }

  #write(record: JournalRecord, parsed?: WrittenEntry['parsed']) {
    return new WrittenEntry(record, this.#state, parsed)
  }

  #select(filter: JournalFilter) {
    const { journal, labels } = this.#state
    return filterRecords(journal.records, filter, labels).map((record) => this.#write(record))
  }
}

/**
 * Streams the journal as server-sent events. A slow reader delays nothing: it reads on from its own position, and an
 * event says how many entries it missed.
 *
 * @param read what is written from a place on, of about the length of a chunk
 * @param lastId the id of the last entry that was received, or null to start with the next one. One that no entry has yet
 * is of an earlier journal: then the stream starts with the first entry
 */
function streamEvents(
  { journal, events }: Pick<State, 'journal' | 'events'>,
  read: (start: StreamPosition) => Chunk,
  lastId: number | null,
  closed: AbortSignal = new AbortController().signal,
) {
  const after = lastId !== null && lastId > journal.lastId ? 0 : lastId
  let place = positionAfter(journal, after)
  const start = after ?? journal.records.at(-1)?.id ?? (journal.position && journal.lastId)
  let stops: (() => void)[] = []
  let wake = () => {}

  const stop = () => {
    for (const unsubscribe of stops) unsubscribe()
  }

  const open = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    // Sends the headers at once. With the id, a client that reconnects before the first entry misses none.
    controller.enqueue(encode(`: the journal, an event for each entry\nid: ${start}\n\n`))
    const end = () => {
      stop()
      for (let text = readOn(); text !== ''; text = readOn()) controller.enqueue(encode(text))
      controller.close()
    }
    if (journal.isClosed || closed.aborted) end()
    else
      stops = [events.on('response', () => wake()), events.on('close', end), abortOf(closed)(end)]
  }

  const readOn = () => {
    const chunk = read(place)
    place = chunk
    return chunk.text
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

function readChunk(
  journal: Journal,
  { position, missed }: StreamPosition,
  write: (record: JournalRecord) => string,
): Chunk {
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
  return { text, position, missed }
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

/** Events, and where the next ones begin. */
interface Chunk extends StreamPosition {
  readonly text: string
}

/** Finds the position after an entry. If the entry was evicted, it is the position of the next one that was not. */
function positionAfter(journal: Journal, after: number | null) {
  if (after === null) return { position: journal.position, missed: 0 }
  let firstLater: StreamPosition | null = null
  for (let next = journal.next(0); next; next = journal.next(next.position + 1)) {
    const { id } = next.item
    if (id === after) return { position: next.position + 1, missed: 0 }
    if (id > after) firstLater ??= { position: next.position, missed: id - after - 1 }
  }
  return firstLater ?? { position: journal.position, missed: 0 }
}
