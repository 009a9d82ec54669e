import { endpoints } from '../../api/endpoints.ts'
import type { OperationId } from '../../api/operation-id.ts'
import type { Exchange, ExchangedMessage } from '../../http/exchange.ts'
import { type EndpointSuggestion, suggestEndpoints } from '../../http/unknown-path.ts'
import { apiPath, queryString } from '../../http/url.ts'
import type { SettingValues } from '../../settings/setting.ts'
import { KeyRedactor, maskKey } from '../../utils/redaction/mask.ts'
import { formatIsoTime } from '../../world/clock/clock.ts'
import type { Json } from '../../world/rows.ts'
import type { Tables } from '../../world/tables.ts'
import type { Sandbox } from '../sandbox.ts'
import { renderCircumstances } from './circumstances.ts'
import type { JournalEntry, MaskedKey } from './entry.ts'
import { explainResponse, toLine } from './explain-response.ts'
import { findIgnoredInput } from './ignored-input.ts'
import type { Journal, JournalRecord } from './journal.ts'
import type { DecisionSource } from './past-request.ts'
import {
  findSentKey,
  type RenderedMessage,
  renderChange,
  renderRequest,
  renderResponse,
} from './render-parts.ts'
import { usedSettings } from './used-settings.ts'

/** The parts of a sandbox that entries are rendered from. */
export interface JournalSource extends DecisionSource {
  readonly journal: Journal
  readonly tables: Tables
  readonly restoreCount: number
  readonly events: Sandbox['events']
  /** What the requests belong to, such as a test */
  readonly name?: string | null | undefined
}

/** The short form of a journal entry, for a line of a log. Keys are masked. */
export interface RequestSummary extends Pick<JournalEntry, 'id' | 'method' | 'ms' | 'operation'> {
  /** The path and the query */
  readonly target: string
  /** 0 if the connection broke */
  readonly status: number
  /** The label of the key, its masked value if it has no label, or null for a request without a key */
  readonly key: string | null
  /** Determines the settings that the response depends on. This is the most expensive part, so it runs on demand */
  readonly settings: () => Partial<SettingValues>
  /** Explains the response in a sentence, on demand. Null for an unremarkable success */
  readonly reason: () => string | null
  /** Finds the input that the operation ignored, on demand */
  readonly ignored: () => readonly string[]
  /** The id of the fault rule that was applied, or null */
  readonly fault: string | null
  /** The endpoints closest to the request, or null for a known operation */
  readonly nearest: string | null
}

const operations: ReadonlySet<string> = new Set(endpoints.map(({ id }) => id))

/** Renders records as entries, with the keys and labels of one moment. */
export class Renderer {
  readonly #source: JournalSource
  readonly #reasons = new WeakMap<JournalRecord, string | null>()
  readonly #events = new WeakMap<JournalRecord, string>()
  readonly #labels: ReadonlyMap<string, string>
  readonly redactor: KeyRedactor

  constructor(source: JournalSource) {
    const { journal, tables, changes } = source
    this.#source = source
    // Former keys are still masked, and shown by the labels they had.
    const current = [...tables.keys.values()].map(({ value, label }) => [value, label] as const)
    this.#labels = new Map([...changes.formerKeys, ...current])
    this.redactor = new KeyRedactor(this.#labels.keys(), journal.limits.redact)
  }

  render(record: JournalRecord): JournalEntry {
    const { id, at, ms, method, fault, changes } = record
    const { redactor } = this
    const operation = documentedOperation(record)
    const [request, response] = [renderRequest(record, redactor), renderResponse(record, redactor)]
    return {
      id,
      at: formatIsoTime(at),
      ms: roundTime(ms),
      operation,
      method,
      path: this.path(record),
      query: this.query(record),
      key: this.key(record),
      request: request.message,
      response: { status: record.response.status, ...response.message },
      reason: this.reason(record),
      ignored: this.ignored(record),
      settings: usedSettings(record),
      fault: fault && {
        id: fault.id,
        effect: redactor.json(fault.effect ?? null) as Json,
        phase: fault.phase,
      },
      changes: changes.map((change) => renderChange(change, redactor)),
      ...renderCircumstances(record, this.#source, redactor),
      ...(operation === null &&
        (record.response.status === 405 || 'understudy-nearest' in record.response.headers) && {
          nearest: this.nearest(record),
        }),
    }
  }

  /** Renders a record as a server-sent event, once for all followers. */
  event(record: JournalRecord): string {
    let event = this.#events.get(record)
    if (event === undefined) {
      const text = JSON.stringify(this.render(record))
      event = `id: ${record.id}\nevent: entry\ndata: ${text}\n\n`
      this.#events.set(record, event)
    }
    return event
  }

  /**
   * A record as a request and its response, with masked keys.
   *
   * @param origin the origin of its URL if the request has no Host header
   */
  exchange(record: JournalRecord, origin: string): Exchange {
    const { at, ms, method } = record
    const { redactor } = this
    const [request, response] = [renderRequest(record, redactor), renderResponse(record, redactor)]
    const { host } = request.message.headers
    const query = this.#queryText(record)
    const key = this.key(record)
    return {
      at: formatIsoTime(at),
      ms: roundTime(ms),
      method,
      // An unknown key has no label, so the field is omitted.
      ...(key?.label !== null && { key: key?.label ?? null }),
      url: `${host === undefined ? origin : `http://${host}`}${this.path(record)}${query === '' ? '' : `?${query}`}`,
      request: toExchangedMessage(request),
      response: {
        status: record.response.status,
        ...toExchangedMessage(response, method !== 'HEAD'),
      },
    }
  }

  /** The comment of an entry in an HTTP archive: its id, operation, fault, reason and ignored input. */
  comment(record: JournalRecord): string {
    const { id, fault } = record
    const faultText = fault ? `, ${fault.id} (${fault.phase})` : ''
    return [
      `entry ${id}: ${documentedOperation(record) ?? 'no operation'}${faultText}`,
      ...[this.reason(record) ?? []].flat(),
      ...this.ignored(record).map((text) => `ignored: ${text}`),
    ].join('; ')
  }

  summarize(record: JournalRecord): RequestSummary {
    const { id, method, target, ms, fault, response } = record
    const key = this.key(record)
    return {
      id,
      method,
      target: this.redactor.url(target),
      status: response.status,
      ms: roundTime(ms),
      key: key && (key.label ?? key.value),
      operation: documentedOperation(record),
      settings: () => Object.fromEntries(usedSettings(record).map(({ id, value }) => [id, value])),
      reason: () => this.reason(record),
      ignored: () => this.ignored(record),
      fault: fault?.id ?? null,
      nearest: response.headers['understudy-nearest'] ?? null,
    }
  }

  /** Explains a response in a sentence. Returns null for an unremarkable success. */
  reason(record: JournalRecord): string | null {
    let reason = this.#reasons.get(record)
    if (reason === undefined) {
      reason = explainResponse(record, this.redactor)
      this.#reasons.set(record, reason)
    }
    return reason
  }

  /** The fields and parameters that the operation ignored. */
  ignored(record: JournalRecord): string[] {
    return findIgnoredInput(record).map((text) => toLine(text, this.redactor))
  }

  /** The path of a request, with masked keys. */
  path({ target }: JournalRecord): string {
    return this.redactor.path(target.split('?')[0] as string)
  }

  /** The last value of each parameter of a request, with masked keys. */
  query(record: JournalRecord): Readonly<Record<string, string>> {
    return Object.fromEntries(new URLSearchParams(this.#queryText(record)))
  }

  #queryText({ target }: JournalRecord): string {
    return this.redactor.form(queryString(target))
  }

  /** Suggests endpoints for a request without an operation. */
  nearest(record: JournalRecord): EndpointSuggestion[] {
    const { method, settings } = record
    return suggestEndpoints(method, apiPath(this.path(record)), endpoints, settings)
  }

  /** The masked key of a request, or null for a request without a key. */
  key(record: JournalRecord): MaskedKey | null {
    const value = findSentKey(record)?.value ?? null
    return value === null ? null : { label: this.#labelOf(value), value: maskKey(value) }
  }

  /** Whether a request was sent with a key. @param key its label or its value */
  hasKey(record: JournalRecord, key: string): boolean {
    const value = findSentKey(record)?.value ?? null
    return value !== null && (value === key || this.#labels.get(value) === key)
  }

  /** Whether the world has, or had, a key with this label or value. */
  knowsKey(key: string): boolean {
    return this.#labels.has(key) || this.labels.includes(key)
  }

  /** The labels of all keys that have one. */
  get labels(): string[] {
    const labelled = [...this.#labels].filter(([value, label]) => label !== value)
    return [...new Set(labelled.map(([, label]) => label))]
  }

  /** Shows a key that a user passed: a label as it is, a value masked. */
  displayKey(key: string): string {
    const isValue = this.#labels.has(key) || ![...this.#labels.values()].includes(key)
    return isValue ? maskKey(key) : this.redactor.text(key)
  }

  /** A key without a label has its value as label, which must not be shown. */
  #labelOf(value: string): string | null {
    const label = this.#labels.get(value)
    return label === undefined || label === value ? null : this.redactor.text(label)
  }
}

/** The operation id of a record. Null for the internal endpoints that reject unknown methods. */
export function documentedOperation({ operation }: JournalRecord): OperationId | null {
  const isKnown = operation !== null && operations.has(operation)
  return isKnown ? (operation as OperationId) : null
}

function roundTime(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000
}

function toExchangedMessage({ message, text }: RenderedMessage, hasBody = true): ExchangedMessage {
  const headers = Object.entries(message.headers)
  if (hasBody && message.omitted) return { headers, body: { omitted: message.bytes } }
  return { headers, body: hasBody && text !== '' ? { text, bytes: message.bytes } : null }
}
