import { endpoints } from '../../api/endpoints.ts'
import { findApiKey } from '../../http/authenticate.ts'
import { type EndpointSuggestion, suggestEndpoints } from '../../http/unknown-path.ts'
import { apiPath, queryString } from '../../http/url.ts'
import { formatIsoTime } from '../../world/clock/time.ts'
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

/** What a journal is shown with: the keys are hidden, and told by their labels. */
export interface JournalSource {
  readonly journal: Journal
  readonly history: ChangeHistory
  readonly tables: Tables
}

/** An entry, and its bodies as texts. */
export interface RenderedEntry {
  readonly entry: JournalEntry
  readonly request: RenderedMessage
  readonly response: RenderedMessage
  /** The query as it stood in the address, without keys. */
  readonly query: string
}

const operations: ReadonlySet<string> = new Set(endpoints.map(({ id }) => id))

/** Makes entries of records, when somebody asks for them. One is made for each time that somebody does. */
export class Renderer {
  readonly #labels: ReadonlyMap<string, string>
  readonly redactor: KeyRedactor

  constructor({ tables, history }: Pick<JournalSource, 'tables' | 'history'>) {
    // Keys that are gone are still hidden, and told by the labels they had.
    const now = [...tables.keys.values()].map(({ value, label }) => [value, label] as const)
    this.#labels = new Map([...history.keys, ...now])
    this.redactor = new KeyRedactor(this.#labels.keys())
  }

  render(record: JournalRecord): RenderedEntry {
    const { id, at, ms, method, target, fault, changes } = record
    const { redactor } = this
    const operation = documentedOperation(record)
    const query = redactor.form(queryString(target))
    const [request, answer] = [renderRequest(record, redactor), renderResponse(record, redactor)]
    const path = redactor.path(target.split('?')[0] as string)
    const entry: JournalEntry = {
      id,
      at: formatIsoTime(at),
      ms: Math.round(ms * 1_000) / 1_000,
      operation,
      method,
      path,
      query: Object.fromEntries(new URLSearchParams(query)),
      key: this.key(record),
      request: request.shown,
      answer: { status: record.response.status, ...answer.shown },
      policies: usedPolicies(record),
      fault: fault && { id: fault.id, effect: renderEffect(fault, redactor), phase: fault.phase },
      changes: changes.map((change) => renderChange(change, redactor)),
      ...(operation === null && { nearest: this.nearest(record) }),
    }
    return { entry, request, response: answer, query }
  }

  /** The routes that were probably meant by a request that nothing describes. */
  nearest({ method, target, settings }: JournalRecord): EndpointSuggestion[] {
    const path = this.redactor.path(target.split('?')[0] as string)
    return suggestEndpoints(method, apiPath(path), endpoints, settings)
  }

  /** The key of a request, as it may be shown. */
  key(record: JournalRecord): MaskedKey | null {
    const value = requestKey(record)
    return value === null ? null : { label: this.labelOf(value), value: maskKey(value) }
  }

  /** Keys without a label of their own have their value for one, which is not to be shown. */
  labelOf(value: string): string | null {
    const label = this.#labels.get(value)
    return label === undefined || label === value ? null : this.redactor.text(label)
  }

  /** Whether a request came with a key, told by its label or its value. */
  hasKey(record: JournalRecord, key: string): boolean {
    const value = requestKey(record)
    return value !== null && (value === key || this.#labels.get(value) === key)
  }

  /** Whether a key of this world has, or had, this value or this label. */
  knowsKey(key: string): boolean {
    return this.#labels.has(key) || this.labels.includes(key)
  }

  /** The labels of keys, of those that have one of their own. */
  get labels(): string[] {
    const own = [...this.#labels].filter(([value, label]) => label !== value)
    return [...new Set(own.map(([, label]) => label))]
  }

  /** A key as somebody wrote it: a label as it is. */
  displayKey(key: string): string {
    const isValue = this.#labels.has(key) || ![...this.#labels.values()].includes(key)
    return isValue ? maskKey(key) : this.redactor.text(key)
  }
}

/** The operation of the document; null for what only answers to methods that a path does not have. */
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
  const call = { headers, query: queryString(target) }
  return findApiKey(call, settings, () => parseRequestBody(record))?.value ?? null
}

/** What a journal is shown with at the moment: made anew when keys or their labels have changed, and not before. */
export class RendererCache {
  readonly #sandbox: Pick<JournalSource, 'tables' | 'history'>
  #renderer: Renderer | null = null
  #keys: object | null = null
  #former: object | null = null

  constructor(sandbox: Pick<JournalSource, 'tables' | 'history'>) {
    this.#sandbox = sandbox
  }

  /** To be asked for each time: it knows the keys as they were then. */
  get current(): Renderer {
    const { tables, history } = this.#sandbox
    const isSame = this.#keys === tables.keys.version && this.#former === history.keys.version
    if (this.#renderer && isSame) return this.#renderer
    this.#keys = tables.keys.version
    this.#former = history.keys.version
    this.#renderer = new Renderer(this.#sandbox)
    return this.#renderer
  }
}
