import { endpoints } from '../../api/endpoints.ts'
import { findApiKey } from '../../http/authorize.ts'
import { type EndpointSuggestion, suggestEndpoints } from '../../http/unknown-path.ts'
import { apiPath, queryString } from '../../http/url.ts'
import { formatIsoTime } from '../../world/clock/clock.ts'
import type { Json } from '../../world/rows.ts'
import type { Tables } from '../../world/table/tables.ts'
import type { ChangeHistory } from '../history/history.ts'
import type { JournalEntry, MaskedKey } from './entry.ts'
import type { Journal } from './journal.ts'
import { KeyRedactor, maskKey } from './key-redactor.ts'
import type { JournalRecord, RecordedFault } from './record.ts'
import {
  parseRequestBody,
  type RenderedMessage,
  renderRequest,
  renderResponse,
} from './render-message.ts'
import { renderChange } from './row-changes.ts'
import { usedPolicies } from './used-policies.ts'

/** The parts of a sandbox that entries are rendered from. */
export interface JournalSource {
  readonly journal: Journal
  readonly history: ChangeHistory
  readonly tables: Tables
}

/** An entry, and its bodies as text. */
export interface RenderedEntry {
  readonly entry: JournalEntry
  readonly request: RenderedMessage
  readonly response: RenderedMessage
  /** The query string, with masked keys */
  readonly query: string
}

const operations: ReadonlySet<string> = new Set(endpoints.map(({ id }) => id))

/** Renders records as entries, with the keys and labels of one moment. */
export class Renderer {
  readonly #labels: ReadonlyMap<string, string>
  readonly redactor: KeyRedactor

  constructor({ tables, history }: Pick<JournalSource, 'tables' | 'history'>) {
    // Former keys are still masked, and shown by the labels they had.
    const current = [...tables.keys.values()].map(({ value, label }) => [value, label] as const)
    this.#labels = new Map([...history.keys, ...current])
    this.redactor = new KeyRedactor(this.#labels.keys())
  }

  render(record: JournalRecord): RenderedEntry {
    const { id, at, ms, method, target, fault, changes } = record
    const { redactor } = this
    const operation = documentedOperation(record)
    const query = redactor.form(queryString(target))
    const [request, response] = [renderRequest(record, redactor), renderResponse(record, redactor)]
    const entry: JournalEntry = {
      id,
      at: formatIsoTime(at),
      ms: Math.round(ms * 1_000) / 1_000,
      operation,
      method,
      path: this.path(record),
      query: Object.fromEntries(new URLSearchParams(query)),
      key: this.key(record),
      request: request.message,
      response: { status: record.response.status, ...response.message },
      policies: usedPolicies(record),
      fault: fault && { id: fault.id, effect: renderEffect(fault, redactor), phase: fault.phase },
      changes: changes.map((change) => renderChange(change, redactor)),
      ...(operation === null && { nearest: this.nearest(record) }),
    }
    return { entry, request, response, query }
  }

  /** The path of a request, with masked keys. */
  path({ target }: JournalRecord): string {
    return this.redactor.path(target.split('?')[0] as string)
  }

  /** Suggests endpoints for a request without an operation. */
  nearest(record: JournalRecord): EndpointSuggestion[] {
    const { method, settings } = record
    return suggestEndpoints(method, apiPath(this.path(record)), endpoints, settings)
  }

  /** The masked key of a request, or null for a request without a key. */
  key(record: JournalRecord): MaskedKey | null {
    const value = requestKey(record)
    return value === null ? null : { label: this.#labelOf(value), value: maskKey(value) }
  }

  /** Whether a request was sent with a key. @param key its label or its value */
  hasKey(record: JournalRecord, key: string): boolean {
    const value = requestKey(record)
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
export function documentedOperation({ operation }: JournalRecord): string | null {
  return operation !== null && operations.has(operation) ? operation : null
}

function renderEffect({ effect }: RecordedFault, redactor: KeyRedactor): Json {
  const { headers } = (effect ?? {}) as { headers?: Record<string, string> }
  const shown = redactor.json(effect ?? null)
  if (headers === undefined) return shown as Json
  return { ...(shown as object), headers: redactor.headers(Object.entries(headers)) }
}

function requestKey(record: JournalRecord): string | null {
  const { requestHeaders: headers, target, settings } = record
  const request = { headers, query: queryString(target) }
  return findApiKey(request, settings, () => parseRequestBody(record))?.value ?? null
}

/** Caches a renderer until keys or their labels change. */
export class RendererCache {
  readonly #sandbox: Pick<JournalSource, 'tables' | 'history'>
  #renderer: Renderer | null = null
  #currentKeys: object | null = null
  #formerKeys: object | null = null

  constructor(sandbox: Pick<JournalSource, 'tables' | 'history'>) {
    this.#sandbox = sandbox
  }

  /** The renderer for the current keys. */
  get current(): Renderer {
    const { tables, history } = this.#sandbox
    const isValid =
      this.#currentKeys === tables.keys.version && this.#formerKeys === history.keys.version
    if (this.#renderer && isValid) return this.#renderer
    this.#currentKeys = tables.keys.version
    this.#formerKeys = history.keys.version
    this.#renderer = new Renderer(this.#sandbox)
    return this.#renderer
  }
}
