import { KeyRedactor, maskKey } from '../../utils/redaction/redactor.ts'
import type { Tables } from '../../world/tables.ts'
import type { ChangeLog } from './changes.ts'
import type { MaskedKey } from './entry.ts'
import type { Journal, JournalRecord } from './journal.ts'
import { findSentKey } from './messages.ts'

/** What the keys of a world are read from. */
interface KeySource {
  readonly journal: Journal
  readonly tables: Tables
  readonly changes: ChangeLog
}

/** The keys that a world has or had, with their labels. They are masked everywhere. */
export class KeyLabels {
  /** A key without a label has its value as label, which must not be shown. */
  readonly #labels: ReadonlyMap<string, string>
  readonly redactor: KeyRedactor
  readonly #source: KeySource
  readonly #stamp: object

  constructor(source: KeySource) {
    const { journal, tables, changes } = source
    this.#source = source
    this.#stamp = tables.keys.stamp
    // Former keys are still masked, and shown by the labels they had.
    const current = [...tables.keys.values()].map(({ value, label }) => [value, label] as const)
    this.#labels = new Map([...changes.formerKeys, ...current])
    this.redactor = new KeyRedactor(this.#labels.keys(), journal.limits.redact)
  }

  /** Whether the keys and their labels are still the same. */
  get isCurrent(): boolean {
    return this.#source.tables.keys.stamp === this.#stamp
  }

  /** The key of a request, or null for a request without one. */
  keyOf(record: JournalRecord): MaskedKey | null {
    const value = findSentKey(record)?.value
    if (value === undefined) return null
    const key = this.#mask(value)
    const alike = [...this.#source.journal.sentKeys].filter((other) => {
      return maskKey(other) === key.value && this.#mask(other).label === key.label
    })
    const index = alike.indexOf(value)
    return index > 0 ? { ...key, number: index + 1 } : key
  }

  #mask(value: string): MaskedKey {
    const label = this.#labels.get(value) ?? value
    return { label: label === value ? null : this.redactor.text(label), value: maskKey(value) }
  }

  /** Whether a request was sent with a key. @param key its label or its value */
  isSentWith(record: JournalRecord, key: string): boolean {
    const value = findSentKey(record)?.value
    return value !== undefined && (value === key || this.#labels.get(value) === key)
  }

  /** Whether the world has, or had, a key with this label or value. */
  has(key: string): boolean {
    return this.#labels.has(key) || this.list().includes(key)
  }

  /** The labels of all keys that have one. */
  list(): string[] {
    const labelled = [...this.#labels].filter(([value, label]) => label !== value)
    return [...new Set(labelled.map(([, label]) => label))]
  }

  /** Shows a key that a user passed: a label as it is, a value masked. */
  show(key: string): string {
    const isValue = this.#labels.has(key) || ![...this.#labels.values()].includes(key)
    return isValue ? maskKey(key) : this.redactor.text(key)
  }
}
