import type { Har } from 'har-format'
import { createHar, toHarEntry } from '../../adapters/har/write-har.ts'
import type { JournalEntry } from './entry.ts'
import { streamEvents } from './event-stream.ts'
import { filterRecords, type JournalFilter, parseFilter } from './filter.ts'
import type { JournalRecord } from './journal.ts'
import { type JournalSource, Renderer, type RequestSummary } from './renderer.ts'
import { type Expectation, type VerifyResult, verify } from './verify.ts'

/** Reads, checks and follows the requests that a sandbox recorded. Keys are masked. */
export class JournalReader {
  readonly #sandbox: JournalSource
  readonly #origin: string
  #cachedRenderer: Renderer | null = null
  #currentKeys: object | null = null
  #restoreCount: number | null = null

  /** @param origin the origin of URLs for requests without a Host header */
  constructor(sandbox: JournalSource, origin: string) {
    this.#sandbox = sandbox
    this.#origin = origin
  }

  /**
   * Finds the entries that match a filter, in the order in which the requests arrived.
   *
   * @throws UsageError for an invalid filter
   */
  find(filter: JournalFilter = {}): JournalEntry[] {
    return this.#render(filter, (record, renderer) => renderer.render(record))
  }

  /** Returns an entry, or undefined if its id is unknown or it was evicted. */
  get(id: number): JournalEntry | undefined {
    const record = this.#sandbox.journal.records.find((one) => one.id === id)
    return record && this.#renderer.render(record)
  }

  /**
   * Checks whether the expected requests were received. Otherwise the result shows the closest ones.
   *
   * @throws UsageError for an invalid expectation, and for an unknown key
   * @example simulator.journal.verify({ operation: 'createAnnotation', body: { content: 'Launch' }, count: 1 })
   */
  verify(expectation: Expectation): VerifyResult {
    const { journal } = this.#sandbox
    const renderer = this.#renderer
    const records = filterRecords(journal.records, {}, renderer)
    return verify(expectation, { records, renderer, evictedCount: journal.evictedCount })
  }

  /** Exports the entries as an HTTP archive (HAR 1.2). @throws UsageError for an invalid filter */
  toHar(filter: JournalFilter = {}): Har {
    const entries = this.#render(filter, (record, renderer) =>
      toHarEntry(renderer.exchange(record, this.#origin), renderer.comment(record)),
    )
    return createHar(entries)
  }

  /** Removes all entries. Ids are not reused. */
  clear(): void {
    this.#sandbox.journal.clear()
  }

  /**
   * Calls a listener with each new entry, before the response is sent.
   *
   * @returns a function that removes the listener
   * @example const stop = simulator.journal.follow(({ method, path }) => console.log(method, path))
   */
  follow(listener: (entry: JournalEntry) => void): () => void {
    return this.followRecords((record) => listener(this.#renderer.render(record)))
  }

  /**
   * Calls a listener with a summary of each new entry. Much cheaper than `follow`, so it suits logs.
   *
   * @returns a function that removes the listener
   */
  followSummaries(listener: (entry: RequestSummary) => void): () => void {
    return this.followRecords((record) => listener(this.summarize(record)))
  }

  /** Summarizes a record, whether it is stored or not. */
  summarize(record: JournalRecord): RequestSummary {
    return this.#renderer.summarize(record)
  }

  /**
   * Calls a listener with each new record, keys included. For recordings, which mask keys themselves.
   *
   * @returns a function that removes the listener
   */
  followRecords(listener: (record: JournalRecord) => void): () => void {
    return this.#sandbox.events.on('response', listener)
  }

  /** Masks the keys in a URL, or in a path with its query. */
  redactUrl(url: string): string {
    return this.#renderer.redactor.url(url)
  }

  /** How many listeners and event streams there are. */
  get followerCount(): number {
    return this.#sandbox.events.count('response')
  }

  /**
   * Streams new entries as server-sent events, until the reader stops.
   *
   * @param after the id of the last entry that was received. The stream starts after it
   */
  events(after: number | null = null): AsyncIterable<Uint8Array> {
    const render = (record: JournalRecord): string => this.#renderer.event(record)
    const open = () => streamEvents(this.#sandbox, render, after)
    return { [Symbol.asyncIterator]: open }
  }

  /** The renderer for the current keys. Cached until keys or their labels change. */
  get #renderer(): Renderer {
    const { tables, restoreCount } = this.#sandbox
    const current = tables.keys.version
    const isValid = this.#currentKeys === current && this.#restoreCount === restoreCount
    if (this.#cachedRenderer && isValid) return this.#cachedRenderer
    this.#currentKeys = current
    this.#restoreCount = restoreCount
    this.#cachedRenderer = new Renderer(this.#sandbox)
    return this.#cachedRenderer
  }

  /** Renders the requests of this moment. */
  #render<T>(filter: JournalFilter, render: (record: JournalRecord, renderer: Renderer) => T): T[] {
    const parsed = parseFilter(filter)
    const renderer = this.#renderer
    const records = filterRecords(this.#sandbox.journal.records, parsed, renderer)
    return Array.from(records, (record) => render(record, renderer))
  }
}
