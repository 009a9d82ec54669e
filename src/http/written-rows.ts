import type { SettingValues } from '../settings/setting.ts'
import { JsonText } from '../utils/json.ts'
import type { Entity, Field } from '../world/entities/field.ts'
import type { AnyTable, RowId, Tables } from '../world/tables.ts'
import type { EncodedRows, PageWriter } from './pages.ts'

/** The rows to write, and what is needed to write them. */
interface WritingContext {
  readonly tables: Tables
  readonly settings: SettingValues
  readonly texts: RowTexts
}

type Values = Readonly<Record<string, unknown>>

/** How responses have a field. All are of one shape, which the engine reads faster than that of a field. */
interface SentField {
  readonly name: string
  /** What precedes the value, such as `,"id":` */
  readonly start: string
  readonly when: readonly string[] | undefined
  readonly isNothing: boolean
  readonly convert: ((value: never) => unknown) | undefined
  /** The field that references the row which has the value, and the list of that row */
  readonly reference: string
  readonly list: Field['list']
  /** The name of the value in that row */
  readonly from: string | undefined
  /** What is written of that row in place of a value */
  readonly embedded: readonly SentField[] | undefined
  /** Its value without that row */
  readonly missing: null | ''
}

function sentFields(fields: Readonly<Record<string, Field>>): readonly SentField[] {
  return Object.values(fields).flatMap((field) => {
    const { name, kind, nullable, sent = {} } = field
    if (sent === false) return []
    const { from, embedded, convert, when } = sent
    const reference = from ? (fields[from.reference] as Field) : field
    return {
      name,
      start: `,${JSON.stringify(name)}:`,
      when,
      isNothing: kind === 'nothing',
      convert,
      reference: reference.name,
      list: reference.list,
      from: from?.name,
      embedded: embedded && sentFields(embedded.fields),
      missing: nullable ? null : '',
    }
  })
}

/** Writes rows of an entity as responses have them, for one request. */
class RowWriter<Row extends object, Sent> implements PageWriter<Row> {
  readonly #fields: readonly SentField[]
  readonly #tables: EmbeddedTables
  readonly #texts: RowTexts
  readonly #kept: KeptTexts
  readonly #setting: string

  /** @param setting the value of the setting `annotations.fields`, if the texts depend on it */
  constructor(fields: readonly SentField[], { tables, texts }: WritingContext, setting: string) {
    this.#fields = fields
    this.#tables = tables
    this.#texts = texts
    this.#kept = texts.of(tables, setting)
    this.#setting = setting
  }

  /** Writes a row that was just saved. Its text is not kept: most are saved again before they are read. */
  writeNew(row: Row): JsonText<Sent> {
    return this.#writeRow(this.#fields, row as Values)
  }

  write(row: Row): JsonText<Sent> {
    return this.#texts.keep(this.#kept.rows, row, () => this.writeNew(row)) as JsonText<Sent>
  }

  encode(chunk: readonly Row[]): EncodedRows {
    return this.#texts.keep(this.#kept.chunks, chunk, () => {
      return encodeRows(chunk.map((row) => this.write(row)))
    })
  }

  #writeRow<Written>(fields: readonly SentField[], row: Values): JsonText<Written> {
    const pieces: string[] = []
    for (const field of fields) this.#writeField(field, row, pieces)
    pieces[0] = `{${pieces[0]?.slice(1)}`
    pieces.push('}')
    return new JsonText(pieces.join(''))
  }

  /** Adds a field and its value, if responses have it. */
  #writeField(field: SentField, row: Values, pieces: string[]): void {
    const { name, start, when, convert, from, embedded } = field
    if (when?.includes(this.#setting) === false) return
    if (field.isNothing) pieces.push(start, 'null')
    else if (embedded) {
      const other = this.#findReferenced(field, row)
      const write = () => this.#writeRow(embedded, other as Values)
      const text = other && this.#texts.keep(this.#kept.embedded, other, write).text
      pieces.push(start, text ?? 'null')
    } else if (from) {
      const other = this.#findReferenced(field, row)
      addValue(start, other?.[from] ?? field.missing, pieces)
    } else addValue(start, convert ? convert(row[name] as never) : row[name], pieces)
  }

  /** The row that a field of another row references. */
  #findReferenced({ reference, list }: SentField, row: Values): Values | undefined {
    if (list === undefined || row[reference] === null) return undefined
    const table: AnyTable = this.#tables[list as keyof EmbeddedTables]
    return table.get(row[reference] as RowId) as Values | undefined
  }
}

type EmbeddedTables = Pick<Tables, 'organizations' | 'users' | 'dashboard_items'>

/** Creates what writes the rows of an entity for one request. */
export type CreateRowWriter<Row extends object, Sent> = (
  context: WritingContext,
) => RowWriter<Row, Sent>

/** @example createRowWriter<UserRow, User>(user)(context).write(row).text // '{"id":1,…}' */
export function createRowWriter<Row extends object, Sent>(
  entity: Pick<Entity, 'fields'>,
): CreateRowWriter<Row, Sent> {
  const fields = sentFields(entity.fields)
  const dependsOnSetting = hasConditions(fields)
  return (context) => {
    const setting = dependsOnSetting ? context.settings['annotations.fields'] : ''
    return new RowWriter(fields, context, setting)
  }
}

/** Whether the setting `annotations.fields` decides about a field, or about one of an embedded row. */
function hasConditions(fields: readonly SentField[]): boolean {
  return fields.some(({ when, embedded }) => when ?? (embedded && hasConditions(embedded)))
}

/** Most texts need no escape: to look for one is faster than to write them by `JSON.stringify`. */
function addValue(start: string, value: unknown, pieces: string[]): void {
  if (value === undefined) return
  if (value === null) pieces.push(start, 'null')
  else if (typeof value === 'string' && /^[ !#-[\]-~]*$/.test(value))
    pieces.push(start, '"', value, '"')
  else pieces.push(start, JSON.stringify(value))
}

/**
 * The texts of rows: clients read the same ones again, and many rows embed the same user. Rows never change, so that a
 * text is right until one of the few rows changes which others embed. The worlds of a simulator share it: those whose
 * embedded rows are the same have the same texts, which end with the last of these worlds. When it is full, it forgets all.
 */
export class RowTexts {
  #all = createStampTexts()
  #bytes = 0

  /** The texts of worlds with the same embedded rows. */
  of({ organizations, users, dashboard_items }: EmbeddedTables, setting: string): KeptTexts {
    let texts = this.#all
    for (const { stamp } of [organizations, users, dashboard_items])
      texts = entryOf(texts.byNextStamp, stamp, createStampTexts)
    return entryOf(texts.bySetting, setting, createKeptTexts)
  }

  /** What was written of a row or a chunk. Writes it, if nothing is kept */
  keep<Written extends { readonly bytes: number }>(
    kept: WeakMap<object, Written>,
    key: object,
    write: () => Written,
  ): Written {
    const before = kept.get(key)
    if (before) return before
    const written = write()
    const bytes = written.bytes + entryBytes
    this.#bytes += bytes
    if (this.#bytes > maxBytes) {
      this.#all = createStampTexts()
      this.#bytes = bytes
    }
    kept.set(key, written)
    return written
  }
}

/** The texts and the bytes of 100,000 usual annotations */
const maxBytes = 144 * 1024 * 1024

/** What an entry takes beside its text or bytes */
const entryBytes = 150

/** The texts of worlds, by the stamp of each list of embedded rows, one after the other. */
interface StampTexts {
  readonly byNextStamp: WeakMap<object, StampTexts>
  readonly bySetting: Map<string, KeptTexts>
}

function createStampTexts(): StampTexts {
  return { byNextStamp: new WeakMap(), bySetting: new Map() }
}

interface KeptTexts {
  /** Rows as responses have them */
  readonly rows: WeakMap<object, JsonText<unknown>>
  /** Rows that others embed */
  readonly embedded: WeakMap<object, JsonText<unknown>>
  /** By chunk, which never changes */
  readonly chunks: WeakMap<object, EncodedRows>
}

function createKeptTexts(): KeptTexts {
  return { rows: new WeakMap(), embedded: new WeakMap(), chunks: new WeakMap() }
}

function entryOf<Key, Value>(
  entries: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  create: () => Value,
): Value {
  let value = entries.get(key)
  if (value === undefined) {
    value = create()
    entries.set(key, value)
  }
  return value
}

const encoder = new TextEncoder()

function encodeRows(texts: readonly JsonText<unknown>[]): EncodedRows {
  const starts = [0]
  for (const { bytes } of texts) starts.push((starts.at(-1) as number) + bytes + 1)
  const encoded = encoder.encode(texts.map(({ text }) => `${text},`).join(''))
  return { texts, encoded, starts, bytes: encoded.length + 16 * starts.length }
}
