import { LatestMap } from '../../utils/latest-map.ts'
import { KeyRedactor, maskKey } from '../../utils/redaction/redactor.ts'
import type { KeyRow } from '../../world/rows.ts'
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

/** The world has had so many keys more than it has when those of a world that changed often are forgotten. */
const maxFormer = 2_000

/**
 * The keys that a world has or had, with their labels. They are masked everywhere. There is one for each world, since
 * entries hold it.
 */
export class KeyLabels {
  readonly #source: KeySource
  /** Undefined until it is asked for */
  #known: Map<string, string> | undefined
  #redactor = new KeyRedactor([])
  /** The records and the responses in whose bodies nothing is secret: to read them again takes long */
  plain!: WeakSet<object>
  /** How lines show the latest keys */
  #shown!: LatestMap<string, MaskedKey>

  constructor(source: KeySource) {
    this.#source = source
    this.#forgetShown()
  }

  get redactor(): KeyRedactor {
    return this.known && this.#redactor
  }

  /** The label of each key. A key without a label has its value as label, which must not be shown. */
  get known(): ReadonlyMap<string, string> {
    if (this.#known) return this.#known
    const { tables, changes, journal, keyOwners } = this.#source
    // Former keys are still masked, and shown by the labels they had.
    this.#known = new Map(changes.formerKeys)
    for (const { value, label } of tables.keys.values()) this.#known.set(value, label)
    const masked = [...this.#known.keys(), ...keyOwners.secrets]
    this.#redactor = new KeyRedactor(masked, journal.limits.redact)
    return this.#known
  }

  add({ value, label }: KeyRow): void {
    this.#known?.set(value, label)
    this.#redactor.addKey(value)
    this.#forgetShown()
    const { size } = this.#source.tables.keys
    if (this.#known && this.#known.size > size + maxFormer) this.forget()
  }

  /** Reads the keys of the world again when they are asked for: all rows were replaced, or a secret is to be masked. */
  forget(): void {
    this.#known = undefined
    this.#forgetShown()
  }

  #forgetShown() {
    this.plain = new WeakSet()
    this.#shown = new LatestMap(100)
  }

  keyOf({ sentKey: value }: JournalRecord): MaskedKey | null {
    if (value === undefined) return null
    const label = this.known.get(value) ?? value
    return { label: label === value ? null : this.redactor.text(label), value: maskKey(value) }
  }

  /** The label of the key of a request, or its masked value. Null for a request without one */
  nameOf(record: JournalRecord): string | null {
    const { sentKey } = record
    if (sentKey === undefined) return null
    const key = this.#shown.get(sentKey) ?? (this.keyOf(record) as MaskedKey)
    this.#shown.set(sentKey, key)
    return key.label ?? key.value
  }

  /** @param key its label or its value */
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
