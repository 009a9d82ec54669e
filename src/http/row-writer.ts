import type { SettingValues } from '../settings/setting.ts'
import { JsonText } from '../utils/json.ts'
import type { Entity, Field } from '../world/entities/field.ts'
import type { AnyTable, RowId, Tables } from '../world/tables.ts'

/** The rows that are written, and what they are written by. */
export interface WritingContext {
  readonly tables: Tables
  readonly settings: SettingValues
  readonly texts: RowTexts
}

type Fields = Readonly<Record<string, Field>>
type Values = Readonly<Record<string, unknown>>

/** Writes rows of an entity as responses have them. */
export type RowWriter<Row, Sent> = (context: WritingContext, isNew?: boolean) => WriteRow<Row, Sent>

export interface WriteRow<Row, Sent> {
  (row: Row): JsonText<Sent>
  /** The bytes of chunks of rows that are no new ones */
  readonly chunks?: Kept<ChunkBytes>
}

/** @example createRowWriter<UserRow, User>(user)(context)(row).text // '{"id":1,…}' */
export function createRowWriter<Row extends object, Sent>(
  entity: Pick<Entity, 'fields'>,
): RowWriter<Row, Sent> {
  const fields: Fields = entity.fields
  const dependsOnSetting = hasConditions(fields)
  return ({ tables, settings, texts }, isNew = false) => {
    const setting = dependsOnSetting ? settings['annotations.fields'] : ''
    const { written, embedded, chunks } = texts.of(tables, setting)
    const writing = { tables, setting, embedded }
    const write = (row: Row) => new JsonText<Sent>(writeRow(fields, row as Values, writing))
    if (isNew) return write
    const writeKept = (row: Row) => written.get(row, () => write(row)) as JsonText<Sent>
    return Object.assign(writeKept, { chunks })
  }
}

/** Whether the setting `annotations.fields` decides about a field, or about one of an embedded row. */
function hasConditions(fields: Fields): boolean {
  return Object.values(fields).some(
    ({ sent }) => sent && (sent.when ?? (sent.embedded && hasConditions(sent.embedded.fields))),
  )
}

/** What a row is written with. */
interface Writing {
  readonly tables: EmbeddedTables
  readonly setting: string
  readonly embedded: Kept<string>
}

type EmbeddedTables = Pick<Tables, 'organizations' | 'users' | 'dashboard_items'>

/** What all worlds of a simulator keep of rows. When it is full, all is forgotten. */
class Room {
  /** By what keeps them: a world that nobody reads again forgets its own, too */
  #written = new WeakMap<object, WeakMap<object, unknown>>()
  #bytes = 0

  of<Written>(kept: Kept<Written>): WeakMap<object, Written> {
    let written = this.#written.get(kept)
    if (!written) {
      written = new WeakMap()
      this.#written.set(kept, written)
    }
    return written as WeakMap<object, Written>
  }

  take(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes < maxKept) return
    this.#written = new WeakMap()
    this.#bytes = bytes
  }
}

/** The texts and the bytes of 100,000 usual annotations */
const maxKept = 128 * 1024 * 1024

/** What was written, by row or chunk. */
class Kept<Written> {
  readonly #room: Room
  readonly #bytesOf: (written: Written) => number

  constructor(room: Room, bytesOf: (written: Written) => number) {
    this.#room = room
    this.#bytesOf = bytesOf
  }

  get(key: object, write: () => Written): Written {
    const known = this.#room.of(this).get(key)
    if (known !== undefined) return known
    const written = write()
    this.#room.take(this.#bytesOf(written))
    this.#room.of(this).set(key, written)
    return written
  }
}

/**
 * The texts of rows: clients read the same ones again, and many rows embed the same user. Rows never change, so that a
 * text is right until one of the few rows changes which others embed. The worlds of a simulator share it: those whose
 * embedded rows are the same have the same texts, which end with the last of these worlds.
 */
export class RowTexts {
  readonly #room: Room
  readonly #bySetting = new Map<string, KeptTexts>()
  /** By the stamp of the next list of embedded rows */
  readonly #byStamp = new WeakMap<object, RowTexts>()

  constructor(room: Room = new Room()) {
    this.#room = room
  }

  /** @param setting the value of the setting `annotations.fields`, if the texts depend on it */
  of({ organizations, users, dashboard_items }: EmbeddedTables, setting: string): KeptTexts {
    const lists = [organizations, users, dashboard_items]
    const texts = lists.reduce<RowTexts>((known, { stamp }) => known.#at(stamp), this)
    let known = texts.#bySetting.get(setting)
    if (!known) {
      known = {
        written: new Kept(this.#room, ({ text }) => text.length),
        embedded: new Kept(this.#room, ({ length }) => length),
        chunks: new Kept(this.#room, ({ bytes }) => bytes.length),
      }
      texts.#bySetting.set(setting, known)
    }
    return known
  }

  #at(stamp: object): RowTexts {
    let texts = this.#byStamp.get(stamp)
    if (!texts) {
      texts = new RowTexts(this.#room)
      this.#byStamp.set(stamp, texts)
    }
    return texts
  }
}

interface KeptTexts {
  /** Rows as responses have them */
  readonly written: Kept<JsonText<unknown>>
  /** Rows that others embed */
  readonly embedded: Kept<string>
  /** By chunk, which never changes */
  readonly chunks: Kept<ChunkBytes>
}

/** Rows in UTF-8, a comma after each. */
interface ChunkBytes {
  readonly texts: readonly JsonText<unknown>[]
  readonly bytes: Uint8Array
  /** Where each row begins, and where the last one ends */
  readonly starts: readonly number[]
}

const encoder = new TextEncoder()

export function encodeChunk(texts: readonly JsonText<unknown>[]): ChunkBytes {
  const starts = [0]
  for (const { bytes } of texts) starts.push((starts.at(-1) as number) + bytes + 1)
  return { texts, bytes: encoder.encode(texts.map(({ text }) => `${text},`).join('')), starts }
}

function writeRow(fields: Fields, row: Values, writing: Writing): string {
  const members: string[] = []
  for (const name in fields) {
    const value = writeField(fields[name] as Field, fields, row, writing)
    if (value !== undefined) members.push(`"${name}":${value}`)
  }
  return `{${members.join(',')}}`
}

/** @returns undefined for a field that responses do not have */
function writeField(
  field: Field,
  fields: Fields,
  row: Values,
  writing: Writing,
): string | undefined {
  const { kind, name, nullable, sent = {} } = field
  if (sent === false) return undefined
  const { from, embedded, convert, when } = sent
  if (when && !(when as readonly string[]).includes(writing.setting)) return undefined
  if (kind === 'nothing') return 'null'
  if (embedded) {
    const other = findReferenced(field, row, writing)
    return other
      ? writing.embedded.get(other, () => writeRow(embedded.fields, other, writing))
      : 'null'
  }
  if (!from) return writeValue(convert ? convert(row[name] as never) : row[name])
  const other = findReferenced(fields[from.reference] as Field, row, writing)
  return writeValue(other?.[from.name] ?? (nullable ? null : ''))
}

/** Most texts need no escape: to look for one is faster than to write them by `JSON.stringify`. */
function writeValue(value: unknown): string | undefined {
  const isPlain = typeof value === 'string' && /^[ !#-[\]-~]*$/.test(value)
  return isPlain ? `"${value}"` : JSON.stringify(value)
}

/** The row that a field of another row references. */
function findReferenced(
  { name, list }: Field,
  row: Values,
  { tables }: Writing,
): Values | undefined {
  if (list === undefined || row[name] === null) return undefined
  const table: AnyTable = tables[list as keyof EmbeddedTables]
  return table.get(row[name] as RowId) as Values | undefined
}
