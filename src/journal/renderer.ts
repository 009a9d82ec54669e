import { endpoints } from '../endpoints.ts'
import type { History } from '../history/history.ts'
import { keyOf } from '../http/access.ts'
import { pathOfApi } from '../http/base.ts'
import { queryOf } from '../http/call.ts'
import { type Near, nearestRoutes } from '../http/nearest.ts'
import type { Json } from '../world/rows.ts'
import type { Tables } from '../world/tables.ts'
import { toIso } from '../world/time.ts'
import { showChange } from './changes.ts'
import { consulted } from './consulted.ts'
import type { JournalEntry, ShownKey } from './entry.ts'
import type { Journal } from './journal.ts'
import { masked } from './masked.ts'
import { answerOf, type Message, readBody, requestOf } from './message.ts'
import type { JournalRecord, NotedFault } from './record.ts'
import { Redactor } from './redact.ts'

/** What a journal is shown with: the keys are hidden, and told by their labels. */
export interface Surroundings {
  readonly journal: Journal
  readonly history: History
  readonly tables: Tables
}

/** An entry, and its bodies as texts. */
export interface Rendered {
  readonly entry: JournalEntry
  readonly request: Message
  readonly answer: Message
  /** The query as it stood in the address, without keys. */
  readonly query: string
}

const operations: ReadonlySet<string> = new Set(endpoints.map(({ id }) => id))

/** Makes entries of records, when somebody asks for them. One is made for each time that somebody does. */
export class Renderer {
  readonly #labels: ReadonlyMap<string, string>
  readonly redactor: Redactor

  constructor({ tables, history }: Pick<Surroundings, 'tables' | 'history'>) {
    // Keys that are gone are still hidden, and told by the labels they had.
    const now = [...tables.keys.values()].map(({ value, label }) => [value, label] as const)
    this.#labels = new Map([...history.keys, ...now])
    this.redactor = new Redactor(this.#labels.keys())
  }

  render(record: JournalRecord): Rendered {
    const { id, at, ms, method, target, fault, changes } = record
    const { redactor } = this
    const operation = operationOf(record)
    const query = redactor.form(queryOf(target))
    const [request, answer] = [requestOf(record, redactor), answerOf(record, redactor)]
    const path = redactor.path(target.split('?')[0] as string)
    const entry: JournalEntry = {
      id,
      at: toIso(at),
      ms: Math.round(ms * 1_000) / 1_000,
      operation,
      method,
      path,
      query: Object.fromEntries(new URLSearchParams(query)),
      key: this.key(record),
      request: request.shown,
      answer: { status: record.answer.status, ...answer.shown },
      policies: consulted(record),
      fault: fault && { id: fault.id, effect: shownEffect(fault, redactor), phase: fault.phase },
      changes: changes.map((change) => showChange(change, redactor)),
      ...(operation === null && { nearest: this.nearest(record) }),
    }
    return { entry, request, answer, query }
  }

  /** The routes that were probably meant by a request that nothing describes. */
  nearest({ method, target, settings }: JournalRecord): Near[] {
    const path = this.redactor.path(target.split('?')[0] as string)
    return nearestRoutes(method, pathOfApi(path), endpoints, settings)
  }

  /** The key of a request, as it may be shown. */
  key(record: JournalRecord): ShownKey | null {
    const value = keyValueOf(record)
    return value === null ? null : { label: this.labelOf(value), value: masked(value) }
  }

  /** Keys without a label of their own have their value for one, which is not to be shown. */
  labelOf(value: string): string | null {
    const label = this.#labels.get(value)
    return label === undefined || label === value ? null : this.redactor.text(label)
  }

  /** Whether a request came with a key, told by its label or its value. */
  hasKey(record: JournalRecord, key: string): boolean {
    const value = keyValueOf(record)
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
  showKey(key: string): string {
    const isValue = this.#labels.has(key) || ![...this.#labels.values()].includes(key)
    return isValue ? masked(key) : this.redactor.text(key)
  }
}

/** The operation of the document; null for what only answers to methods that a path does not have. */
export function operationOf({ operation }: JournalRecord): string | null {
  return operation !== null && operations.has(operation) ? operation : null
}

function shownEffect({ effect }: NotedFault, redactor: Redactor): Json {
  const { headers } = (effect ?? {}) as { headers?: Record<string, string> }
  const shown = redactor.json(effect ?? null)
  if (headers === undefined) return shown as Json
  return { ...(shown as object), headers: redactor.headers(Object.entries(headers)) }
}

function keyValueOf(record: JournalRecord): string | null {
  const { requestHeaders: headers, target, settings } = record
  const call = { headers, query: queryOf(target) }
  return keyOf(call, settings, () => readBody(record))?.value ?? null
}
