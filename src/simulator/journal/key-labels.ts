import { KeyRedactor, maskKey } from '../../utils/redaction/redactor.ts'
import type { Tables } from '../../world/tables.ts'
import type { ChangeLog } from './changes.ts'
import type { MaskedKey } from './entry.ts'
import type { Journal, JournalRecord } from './journal.ts'

interface KeySource {
  readonly journal: Journal
  readonly tables: Tables
  readonly changes: ChangeLog
  readonly keyOwners: { readonly secrets: ReadonlySet<string> }
}

/** More keys than these, and twice those of the world, are not masked when the world no longer knows them. */
const maxUnknown = 1_000

/**
 * The keys that a world has or had, with their labels. They are masked everywhere. There is one for each world, since
 * entries hold it.
 */
export class KeyLabels {
  readonly #source: KeySource
  #known: ReadonlyMap<string, string> = new Map()
  #redactor: KeyRedactor
  #masked = 0
  #stamp: object | undefined

  constructor(source: KeySource) {
    this.#source = source
    this.#redactor = this.#createRedactor([])
  }

  get redactor(): KeyRedactor {
    return this.known && this.#redactor
  }

  /** The label of each key. A key without a label has its value as label, which must not be shown. */
  get known(): ReadonlyMap<string, string> {
    const { tables, changes } = this.#source
    if (this.#stamp === tables.keys.stamp) return this.#known
    this.#stamp = tables.keys.stamp
    const former = this.#known
    // Former keys are still masked, and shown by the labels they had.
    const current = [...tables.keys.values()].map(({ value, label }) => [value, label] as const)
    this.#known = new Map([...changes.formerKeys, ...current])
    const keys = [...this.#known.keys()]
    if (this.#masked > 2 * keys.length + maxUnknown) this.#redactor = this.#createRedactor(keys)
    else for (const key of keys) if (!former.has(key)) this.#add(key)
    return this.#known
  }

  #createRedactor(keys: readonly string[]): KeyRedactor {
    const { journal, keyOwners } = this.#source
    this.#masked = keys.length
    return new KeyRedactor([...keys, ...keyOwners.secrets], journal.limits.redact)
  }

  /** Masks a further secret, which is no key of the world. */
  hide(secret: string): void {
    this.#redactor.addKey(secret)
  }

  #add(key: string): void {
    this.#masked += 1
    this.#redactor.addKey(key)
  }

  /** The key of a request, or null for a request without one. */
  keyOf(record: JournalRecord): MaskedKey | null {
    const { sentKey: value } = record
    if (value === undefined) return null
    const label = this.#labelOf(value)
    return { label: label && this.redactor.text(label), value: maskKey(value) }
  }

  /** The label of the key of a request, or its masked value. Null for a request without one */
  nameOf({ sentKey }: JournalRecord): string | null {
    if (sentKey === undefined) return null
    const label = this.#labelOf(sentKey)
    return label === null ? maskKey(sentKey) : this.redactor.text(label)
  }

  #labelOf(value: string): string | null {
    const label = this.known.get(value) ?? value
    return label === value ? null : label
  }

  /** Whether a request was sent with a key. @param key its label or its value */
  isSentWith(record: JournalRecord, key: string): boolean {
    const { sentKey } = record
    return sentKey !== undefined && (sentKey === key || this.known.get(sentKey) === key)
  }

  /** Whether the world has, or had, a key with this label or value. */
  has(key: string): boolean {
    return this.known.has(key) || this.list().includes(key)
  }

  list(): string[] {
    const labelled = [...this.known].filter(([value, label]) => label !== value)
    return [...new Set(labelled.map(([, label]) => label))]
  }

  /** Shows a key that a user passed: a label as it is, a value masked. */
  show(key: string): string {
    const isValue = this.known.has(key) || ![...this.known.values()].includes(key)
    return isValue ? maskKey(key) : this.redactor.text(key)
  }
}
