import { endpoints } from '../../api/endpoints.ts'
import { describeIgnored } from '../../http/ignored-input.ts'
import { bytesToText } from '../../http/input.ts'
import { bodyLength, queryString } from '../../http/messages.ts'
import { apiPath } from '../../http/route.ts'
import { type EndpointSuggestion, suggestEndpoints } from '../../http/unknown-path.ts'
import { describeValue, type SettingId, type SettingValues } from '../../settings/setting.ts'
import { parseQuery } from '../../utils/query.ts'
import type { KeyRedactor } from '../../utils/redaction/redactor.ts'
import { decodePart } from '../../utils/text.ts'
import { formatIsoTime } from '../../world/clock/clock.ts'
import type { Json } from '../../world/rows.ts'
import type { State } from '../state.ts'
import type { JournalEntry, JournalSetting } from './entry.ts'
import { explainResponse, toLine } from './explain-response.ts'
import type { JournalRecord } from './journal.ts'
import { maskMessage, maskPath, maskQuery, omitMessage } from './messages.ts'
import { explanationsOf, reasonWithoutStatus, requestLine } from './request-line.ts'
import { maskChange } from './row-changes.ts'

type EntrySource = Pick<State, 'journal' | 'labels' | 'name'>

/** The header in which a client names the test that it runs in. */
const testHeader = 'understudy-test'

/**
 * The journal entry of a recorded request. Each part is written when it is asked for, with the keys and labels of that
 * moment. Keys are masked, but for those of `record`.
 */
export class WrittenEntry {
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
    return this.record.sentKey ?? ''
  }

  get bytes(): { readonly sent: number; readonly received: number } {
    const { requestBody, response } = this.record
    return { sent: bodyLength(requestBody) ?? 0, received: bodyLength(response.body) ?? 0 }
  }

  get key(): JournalEntry['key'] {
    return this.#source.labels.keyOf(this.record)
  }

  get reason(): string | null {
    return explainResponse(this.record, this.redactor)
  }

  get ignored(): string[] {
    return this.record.ignored.map((input) => toLine(describeIgnored(input), this.redactor))
  }

  get test(): string | undefined {
    const sent = this.record.requestHeaders.get(testHeader)
    const name = sent === null ? (this.#source.name ?? null) : decodePart(fromUtf8(sent))
    return name === null ? undefined : this.redactor.text(name)
  }

  get asked_for(): boolean | undefined {
    return this.#source.journal.isAskedFor(this.record.id) || undefined
  }

  /** All parts that the entry has, in the order of the schema. @param hasBodies whether it has headers and bodies */
  toJSON(hasBodies = true): JournalEntry {
    const { record, redactor, key, reason, ignored, test } = this
    const { id, at, ms, operation, method, target, response, fault } = record
    const writeMessage = hasBodies ? maskMessage : omitMessage
    const isUnknown = response.status === 405 || 'understudy-nearest' in response.headers
    const parts: { readonly [Name in keyof JournalEntry]-?: JournalEntry[Name] | undefined } = {
      id,
      at: formatIsoTime(at),
      ms,
      operation,
      method,
      path: maskPath(target, redactor),
      query: maskQuery(target, redactor),
      query_text: repeatedQuery(redactor.form(queryString(target))),
      key,
      request: writeMessage(record, 'request', redactor),
      response: { status: response.status, ...writeMessage(record, 'response', redactor) },
      reason,
      ignored,
      settings: record.settingReads.ids.map((id) => settingOf(id, record.settings[id])),
      fault: fault && {
        id: fault.id,
        effect: redactor.json(fault.effect) as Json,
        phase: fault.phase,
      },
      changes: record.changes.map((change) => maskChange(change, redactor)),
      test,
      nearest: operation === null && isUnknown ? nearestTo(record, redactor) : undefined,
    }
    const known = Object.entries(parts).filter(([, part]) => part !== undefined)
    return Object.fromEntries(known) as JournalEntry
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
    return this.#source.labels.nameOf(this.record)
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
    const { status, target, keyName } = this
    const key = keyName === null ? 'no key' : `key ${JSON.stringify(keyName)}`
    const remarks = this.remarks.join('; ')
    return `${requestLine(status, this.record.method, target)}, ${key}${remarks && ` – ${remarks}`}`
  }

  /** The comment of an entry in an HTTP archive: its id, operation, fault, reason and ignored input. */
  get comment(): string {
    const { id, operation, fault } = this.record
    const faultText = fault ? `, ${fault.id} (${fault.phase})` : ''
    const request = `entry ${id}: ${operation ?? 'no operation'}${faultText}`
    return [request, ...explanationsOf(this)].join('; ')
  }

  /** The entry for the rules about clients, which keep it. What a page shows takes the place of its body. */
  get short(): WrittenEntry {
    const isPage = this.record.response.page !== undefined
    const record = this.record.within(maxShortBody, isPage ? 0 : maxShortBody)
    return record === this.record ? this : new WrittenEntry(record, this.#source)
  }
}

/** In bytes. A rule about clients keeps thousands of requests. */
const maxShortBody = 65_536

/** A query that has a parameter more than once. Undefined for another one */
function repeatedQuery(query: string): string | undefined {
  const names = [...parseQuery(query).keys()]
  return new Set(names).size < names.length ? query : undefined
}

function settingOf(id: SettingId, value: SettingValues[SettingId]): JournalSetting {
  const { evidence, source } = describeValue(id, value)
  return { id, value, evidence, source }
}

/** The text of a header whose bytes, which are read as Latin-1, are UTF-8. Any other text stays as it is. */
function fromUtf8(header: string): string {
  if (!/[\x80-\xff]/.test(header)) return header
  const bytes = Uint8Array.from(header, (character) => character.charCodeAt(0))
  return bytesToText(bytes) ?? header
}

/** Suggests endpoints for a request without an operation. */
export function nearestTo(
  { method, target, settings }: JournalRecord,
  redactor: KeyRedactor,
): EndpointSuggestion[] {
  return suggestEndpoints(method, apiPath(maskPath(target, redactor)), endpoints, settings)
}
