import type { Har } from 'har-format'
import type { JournalEntry } from './entry.ts'
import { EventStream } from './event-stream.ts'
import { type Expectation, parseExpectation, rejectUnknownKeys } from './expectation.ts'
import { filterRecords, type JournalFilter, parseFilter } from './filter.ts'
import type { JournalRecord } from './record.ts'
import type { JournalSource, RenderedEntry } from './renderer.ts'
import { RendererCache } from './renderer.ts'
import { type RequestSummary, summarize } from './summary.ts'
import { toHar } from './to-har.ts'
import { type VerifyResult, verify } from './verify.ts'

/**
 * What was asked of a simulator, and what it answered: as much as the journal keeps. Keys are hidden in all that
 * it shows. It stays as it is when rows go back to a snapshot or to the beginning.
 *
 * @example simulator.journal.find({ operation: 'createAnnotation', status: '4xx' })
 */
export class JournalAccess {
  readonly #sandbox: JournalSource
  readonly #rendering: RendererCache
  readonly #origin: string

  /** @param origin of addresses whose requests do not tell their host */
  constructor(sandbox: JournalSource, origin: string) {
    this.#sandbox = sandbox
    this.#rendering = new RendererCache(sandbox)
    this.#origin = origin
  }

  /** The entries that a filter lets through, in the order in which requests came. @throws UsageError for a bad filter */
  find(filter: JournalFilter = {}): JournalEntry[] {
    return this.#rendered(filter).map(({ entry }) => entry)
  }

  /** One entry; undefined where it never was, or is no longer kept. */
  get(id: number): JournalEntry | undefined {
    const record = this.#sandbox.journal.records.find((one) => one.id === id)
    return record && this.#rendering.current.render(record).entry
  }

  /**
   * Whether what was expected came, and what came nearest to it.
   *
   * @throws UsageError for what is no expectation, or names a key that there never was
   * @example simulator.journal.verify({ operation: 'createAnnotation', body: { content: 'Launch' }, count: 1 })
   * @example simulator.journal.verify({ in_order: [{ operation: 'listPlugins' }, { operation: 'createPlugin' }] })
   */
  verify(expectation: Expectation): VerifyResult {
    const checked = parseExpectation(expectation)
    const { journal } = this.#sandbox
    const renderer = this.#rendering.current
    const records = filterRecords(journal.records, {}, renderer)
    rejectUnknownKeys(checked, records, renderer)
    return verify(checked, { records, renderer, evictedCount: journal.evictedCount })
  }

  /** The entries as an archive in the format HAR 1.2. @throws UsageError for a bad filter */
  toHar(filter: JournalFilter = {}): Har {
    return toHar(this.#rendered(filter), this.#origin)
  }

  /** Forgets every entry. The numbers of entries go on from where they are. */
  clear(): void {
    this.#sandbox.journal.clear()
  }

  /**
   * Tells of each entry from here on, before its answer leaves.
   *
   * @returns ends that
   * @example const stop = simulator.journal.follow(({ method, path }) => console.log(method, path))
   */
  follow(listener: (entry: JournalEntry) => void): () => void {
    return this.#sandbox.journal.listen((record) => {
      if (record !== null) listener(this.#rendering.current.render(record).entry)
    })
  }

  /**
   * Tells of each request in short, which costs a fraction of an entry: for logs.
   *
   * @returns ends that
   */
  followSummaries(listener: (entry: RequestSummary) => void): () => void {
    return this.#sandbox.journal.listen((record) => {
      if (record !== null) listener(summarize(record, this.#rendering.current))
    })
  }

  /**
   * Tells of each request as it was, keys included: for bundles, which hide them in their own way.
   *
   * @returns ends that
   */
  followRecords(listener: (record: JournalRecord) => void): () => void {
    return this.#sandbox.journal.listen((record) => {
      if (record !== null) listener(record)
    })
  }

  /** An address, or the path and the query of one, as entries show it: without keys. */
  redactUrl(url: string): string {
    return this.#rendering.current.redactor.url(url)
  }

  /** How many follow at the moment, listeners and readers of events. */
  get followerCount(): number {
    return this.#sandbox.journal.listenerCount
  }

  /**
   * The entries from here on as server-sent events, for as long as somebody reads them.
   *
   * @param after the id of an entry: begins with what came after it, as far as it is kept
   */
  events(after: number | null = null): AsyncIterable<Uint8Array> {
    const { journal } = this.#sandbox
    return new EventStream({ journal, rendering: this.#rendering }, after)
  }

  #rendered(filter: JournalFilter): RenderedEntry[] {
    const checked = parseFilter(filter)
    const renderer = this.#rendering.current
    const records = filterRecords(this.#sandbox.journal.records, checked, renderer)
    return records.map((record) => renderer.render(record))
  }
}
