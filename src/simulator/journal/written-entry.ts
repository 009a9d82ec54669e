import { endpoints } from '../../api/endpoints.ts'
import { bytesToText } from '../../http/exchange.ts'
import { describeIgnored } from '../../http/ignored-input.ts'
import { bodyLength, queryString } from '../../http/messages.ts'
import { apiPath } from '../../http/route.ts'
import { type EndpointSuggestion, suggestEndpoints } from '../../http/unknown-path.ts'
import { describeValue } from '../../settings/setting.ts'
import { parseQuery } from '../../utils/query.ts'
import type { KeyRedactor, Redactor } from '../../utils/redaction/redactor.ts'
import { decodePart } from '../../utils/text.ts'
import { formatIsoTime } from '../../world/clock/clock.ts'
import type { Json } from '../../world/rows.ts'
import {
  type JournalEntry,
  type JournalMessage,
  type JournalSetting,
  journalEntrySchema,
} from './entry.ts'
import { explainResponse, toLine } from './explain-response.ts'
import { type Journal, type JournalRecord, keptRecord, usedSettings } from './journal.ts'
import type { KeyLabels } from './key-labels.ts'
import { findSentKey, maskMessage, omitMessage, requestOf, responseOf } from './messages.ts'
import type { ObservedEntry } from './read-entry.ts'
import { explanationsOf, reasonWithoutStatus, requestLine } from './request-line.ts'
import { maskChange } from './row-changes.ts'

interface EntrySource {
  readonly journal: Journal
  /** The keys that the world has or had, with their labels */
  readonly labels: KeyLabels
  /** What the requests belong to, such as a test */
  readonly name?: string | null | undefined
}

/** The header in which a client names the test that it runs in. */
const testHeader = 'understudy-test'

/**
 * The journal entry of a recorded request. Each part is written when it is asked for, with the keys and labels of that
 * moment. Keys are masked, but for those of `record`.
 */
export class WrittenEntry implements ObservedEntry {
  readonly record: JournalRecord
  readonly #source: EntrySource

  constructor(record: JournalRecord, source: EntrySource) {
    this.record = record
    this.#source = source
  }

  get redactor(): KeyRedactor {
    return this.#source.labels.redactor
  }

  /** The key of the request, in full, or an empty text. A client is recognized by it. */
  get client(): string {
    return findSentKey(this.record)?.value ?? ''
  }

  get bytes(): ObservedEntry['bytes'] {
    const { requestBody, response } = this.record
    return { sent: bodyLength(requestBody) ?? 0, received: bodyLength(response.body) ?? 0 }
  }

  get id(): number {
    return this.record.id
  }

  get at(): string {
    return formatIsoTime(this.record.at)
  }

  get timed(): boolean | undefined {
    return this.record.isTimed || undefined
  }

  get ms(): number {
    return this.record.ms
  }

  get operation(): JournalEntry['operation'] {
    return this.record.operation
  }

  get method(): string {
    return this.record.method
  }

  get path(): string {
    return maskPath(this.record.target, this.redactor)
  }

  get query(): JournalEntry['query'] {
    return maskQuery(this.record.target, this.redactor)
  }

  get query_text(): string | undefined {
    const query = this.redactor.form(queryString(this.record.target))
    const names = [...parseQuery(query).keys()]
    return new Set(names).size < names.length ? query : undefined
  }

  get key(): JournalEntry['key'] {
    return this.#source.labels.keyOf(this.record)
  }

  get request(): JournalMessage {
    return maskMessage(requestOf(this.record), this.redactor)
  }

  get response(): JournalEntry['response'] {
    const { status } = this.record.response
    return { status, ...maskMessage(responseOf(this.record), this.redactor) }
  }

  get reason(): string | null {
    return explainResponse(this.record, this.redactor)
  }

  get ignored(): string[] {
    return this.record.ignored.map((input) => toLine(describeIgnored(input), this.redactor))
  }

  get settings(): JournalSetting[] {
    return usedSettings(this.record).map((id) => {
      const value = this.record.settings[id]
      const { evidence, source } = describeValue(id, value)
      return { id, value, evidence, source }
    })
  }

  get fault(): JournalEntry['fault'] {
    const { fault } = this.record
    if (!fault) return null
    const { id, phase, effect } = fault
    return { id, effect: this.redactor.json(effect) as Json, phase }
  }

  get changes(): JournalEntry['changes'] {
    return this.record.changes.map((change) => maskChange(change, this.redactor))
  }

  get test(): string | undefined {
    const sent = this.record.requestHeaders.get(testHeader)
    const name = sent === null ? (this.#source.name ?? null) : decodePart(fromUtf8(sent))
    return name === null ? undefined : this.redactor.text(name)
  }

  get resets(): number | undefined {
    return this.record.replaceCount || undefined
  }

  get missing_row(): boolean | undefined {
    return this.record.failure?.details.isRowMissing || undefined
  }

  get asked_for(): boolean | undefined {
    return this.#source.journal.isAskedFor(this.record.id) || undefined
  }

  get preceding_row(): number | undefined {
    return this.record.response.page?.before
  }

  get overlaps(): number[] | undefined {
    const overlaps = this.#source.journal.overlapping(this.record).map(({ id }) => id)
    return overlaps.length > 0 ? overlaps : undefined
  }

  get nearest(): JournalEntry['nearest'] | undefined {
    const { operation, response } = this.record
    const isUnknown = response.status === 405 || 'understudy-nearest' in response.headers
    return operation === null && isUnknown ? nearestTo(this.record, this.redactor) : undefined
  }

  /** All parts that the entry has, in order. @param hasBodies whether it has headers and bodies */
  toJSON(hasBodies = true): JournalEntry {
    const names = Object.keys(journalEntrySchema.shape) as (keyof JournalEntry)[]
    const parts = names.map((name) => [name, hasBodies ? this[name] : this.#withoutBody(name)])
    return Object.fromEntries(parts.filter(([, part]) => part !== undefined)) as JournalEntry
  }

  #withoutBody(name: keyof JournalEntry): unknown {
    const { status } = this.record.response
    if (name === 'request') return omitMessage(requestOf(this.record))
    return name === 'response' ? { status, ...omitMessage(responseOf(this.record)) } : this[name]
  }

  /** 0 if the connection broke */
  get status(): number {
    return this.record.response.status
  }

  /** The path and the query, with masked keys */
  get target(): string {
    return this.redactor.url(this.record.target)
  }

  /** The label of the key, or its masked value. Null for a request without a key */
  get keyName(): string | null {
    const { key } = this
    return key && (key.label ?? key.value)
  }

  /** What a line says of it that has the status already: why the response is as it is, and what was ignored. */
  get remarks(): string[] {
    const { reason, ignored, status } = this
    return explanationsOf({ reason: reason && reasonWithoutStatus(reason, status), ignored })
  }

  /**
   * The request with its key, and its remarks.
   *
   * @example entry.line // '401 GET /api/projects/, no key – the request has no Authorization header'
   */
  get line(): string {
    const { status, method, target, keyName } = this
    const key = keyName === null ? 'no key' : `key ${JSON.stringify(keyName)}`
    const remarks = this.remarks.join('; ')
    return `${requestLine(status, method, target)}, ${key}${remarks && ` – ${remarks}`}`
  }

  /** The comment of an entry in an HTTP archive: its id, operation, fault, reason and ignored input. */
  get comment(): string {
    const { fault } = this.record
    const faultText = fault ? `, ${fault.id} (${fault.phase})` : ''
    const request = `entry ${this.id}: ${this.operation ?? 'no operation'}${faultText}`
    return [request, ...explanationsOf(this)].join('; ')
  }

  /** The entry for the rules about clients, which keep it. What a page shows takes the place of its body. */
  get short(): WrittenEntry {
    const record = keptRecord(this.record, maxShortBody)
    const { response } = record
    const body = response.page ? { omitted: bodyLength(response.body) ?? 0 } : response.body
    if (record === this.record && body === response.body) return this
    const short = { ...record, response: { ...response, body } }
    return new WrittenEntry(short, this.#source)
  }
}

/** In bytes. A rule about clients keeps thousands of requests. */
const maxShortBody = 65_536

/** The text of a header whose bytes, which are read as Latin-1, are UTF-8. Any other text stays as it is. */
function fromUtf8(header: string): string {
  if (!/[\x80-\xff]/.test(header)) return header
  const bytes = Uint8Array.from(header, (character) => character.charCodeAt(0))
  return bytesToText(bytes) ?? header
}

export function maskPath(target: string, redactor: Redactor): string {
  return redactor.text(target.split('?')[0] as string)
}

/** The last value of each parameter, with masked keys. */
export function maskQuery(target: string, redactor: Redactor): Record<string, string> {
  return Object.fromEntries(parseQuery(redactor.form(queryString(target))))
}

/** Suggests endpoints for a request without an operation. */
export function nearestTo(
  { method, target, settings, nearest }: JournalRecord,
  redactor: KeyRedactor,
): EndpointSuggestion[] {
  return (
    nearest ?? suggestEndpoints(method, apiPath(maskPath(target, redactor)), endpoints, settings)
  )
}
