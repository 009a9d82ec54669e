import type { Exchange } from '../../http/exchange.ts'
import type { EndpointSuggestion } from '../../http/unknown-path.ts'
import type { SettingValues } from '../../settings/setting.ts'
import type { KeyRedactor } from '../../utils/redaction/mask.ts'
import type { JournalEntry } from './entry.ts'
import {
  type EntryParts,
  type EntrySource,
  maskPath,
  nearestTo,
  partsOf,
  writeParts,
} from './entry-parts.ts'
import { type JournalRecord, usedSettings } from './journal.ts'
import { KeyLabels } from './key-labels.ts'
import { maskBody, omitMessage, requestOf, responseOf } from './messages.ts'

/** The short form of a journal entry, for a line of a log. Keys are masked. */
export interface RequestSummary
  extends Pick<JournalEntry, 'id' | 'method' | 'ms' | 'operation' | 'reason' | 'ignored'> {
  /** The path and the query */
  readonly target: string
  /** 0 if the connection broke */
  readonly status: number
  /** The label of the key, its masked value if it has no label, or null for a request without a key */
  readonly key: string | null
  /** The settings that the response depends on */
  readonly settings: Partial<SettingValues>
  /** The id of the fault rule that was applied, or null */
  readonly fault: string | null
  /** The endpoints closest to the request, or null for a known operation */
  readonly nearest: string | null
  /** What the request belongs to, such as a test, if it is known */
  readonly test?: string
}

/** An entry for the rules about clients. */
export interface ObservedEntry {
  readonly entry: EntryParts
  /** What it is written from, without long texts: to compare, and never to be shown. An entry of a file has none */
  readonly record?: JournalRecord
  /** Masks what is shown */
  readonly redactor?: KeyRedactor
  /** Whether no time passes between requests */
  readonly isFrozen?: boolean
}

/** Writes entries, with the keys and labels of one moment. */
export class EntryWriter {
  readonly #source: EntrySource
  readonly #stamp: object
  readonly keys: KeyLabels
  readonly redactor: KeyRedactor

  constructor(source: EntrySource) {
    this.#source = source
    this.#stamp = source.tables.keys.stamp
    this.keys = new KeyLabels(source)
    this.redactor = this.keys.redactor
  }

  /** Whether the keys and their labels are still the same. */
  get isCurrent(): boolean {
    return this.#source.tables.keys.stamp === this.#stamp
  }

  /** @param hasBodies whether it has headers and bodies */
  entry(record: JournalRecord, hasBodies = true): JournalEntry {
    const entry = writeParts(this.#partsOf(record))
    if (hasBodies) return entry
    const { status } = record.response
    const response = { status, ...omitMessage(responseOf(record)) }
    return { ...entry, request: omitMessage(requestOf(record)), response }
  }

  observe(record: JournalRecord): ObservedEntry {
    const { response } = record
    // What a page shows takes the place of its body.
    const short = response.page ? { ...record, response: { ...response, body: null } } : record
    const isFrozen = this.#source.clock.mode === 'frozen'
    return { entry: this.#partsOf(short), record: short, redactor: this.redactor, isFrozen }
  }

  summary(record: JournalRecord): RequestSummary {
    const { target, response, settings } = record
    const { id, method, operation, ms, key, reason, ignored, test } = this.#partsOf(record)
    return {
      id,
      method,
      target: this.redactor.url(target),
      status: response.status,
      ms,
      key: key && (key.label ?? key.value),
      operation,
      settings: Object.fromEntries(usedSettings(record).map((name) => [name, settings[name]])),
      reason,
      ignored,
      fault: record.fault?.id ?? null,
      nearest: response.headers['understudy-nearest'] ?? null,
      ...(test !== undefined && { test }),
    }
  }

  /** A record as a request and its response, with masked keys. */
  exchange(record: JournalRecord): Exchange {
    const { method, url, response } = record
    const { at, ms, key } = this.#partsOf(record)
    const { redactor } = this
    const [request, answer] = [requestOf(record), responseOf(record)]
    const [origin = ''] = /^https?:\/\/[^/?#]*/i.exec(url) ?? []
    return {
      at,
      ms,
      method,
      // An unknown key has no label, so the field is omitted.
      ...(key?.label !== null && { key: key?.label ?? null }),
      url: redactor.text(origin) + redactor.url(url.slice(origin.length)),
      request: {
        headers: Object.entries(redactor.headers(request.headers)),
        body: maskBody(request, redactor),
      },
      response: {
        status: response.status,
        headers: Object.entries(redactor.headers(answer.headers)),
        body: method === 'HEAD' ? null : maskBody(answer, redactor),
      },
    }
  }

  /** The comment of an entry in an HTTP archive: its id, operation, fault, reason and ignored input. */
  comment(record: JournalRecord): string {
    const { fault } = record
    const { id, operation, reason, ignored } = this.#partsOf(record)
    const faultText = fault ? `, ${fault.id} (${fault.phase})` : ''
    return [
      `entry ${id}: ${operation ?? 'no operation'}${faultText}`,
      ...[reason ?? []].flat(),
      ...ignored.map((text) => `ignored: ${text}`),
    ].join('; ')
  }

  /** The path of a request, with masked keys. */
  path({ target }: Pick<JournalRecord, 'target'>): string {
    return maskPath(target, this.redactor)
  }

  /** Suggests endpoints for a request without an operation. */
  nearest(record: JournalRecord): EndpointSuggestion[] {
    return nearestTo(record, this.redactor)
  }

  #partsOf(record: JournalRecord): EntryParts {
    return partsOf(record, this.#source, this.keys)
  }
}
