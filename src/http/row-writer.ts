import type { SettingValues } from '../settings/setting.ts'
import { JsonText } from '../utils/json.ts'
import type { Entity, Field } from '../world/entities/field.ts'
import { type OrderedRows, type Run, SortedList } from '../world/sorted-list.ts'
import type { AnyTable, RowId, Tables } from '../world/tables.ts'
import { PageText, RowBytes } from './row-bytes.ts'

/** The rows that are written, and what they are written by. */
export interface WritingContext {
  readonly tables: Tables
  readonly settings: SettingValues
  readonly texts: ResponseTexts
}

/** Writes a page of rows. @param runs where they lie @param start what precedes them @param end what follows them */
export type WritePage<Row> = (
  rows: readonly Row[],
  runs: readonly Run<Row>[],
  start: string,
  end: string,
) => JsonText<unknown>

type Fields = Readonly<Record<string, Field>>
type Values = Readonly<Record<string, unknown>>

/** Writes the rows of an entity as responses have them. */
export interface RowWriter<Row, Sent> {
  write(row: Row, context: WritingContext): JsonText<Sent>
  /** Writes a row that was asked for. Its text is kept: clients read the same rows again. */
  read(row: Row, context: WritingContext): JsonText<Sent>
  /** Writes pages from bytes of rows, which are kept until the rows change, or those that they embed. */
  pages(context: WritingContext): WritePage<Row>
}

/** @example createRowWriter<UserRow, User>(user).write(row, context).text // '{"id":1,…}' */
export function createRowWriter<Row extends object, Sent>(
  entity: Pick<Entity, 'fields'>,
): RowWriter<Row, Sent> {
  const fields: Fields = entity.fields
  const dependsOnSetting = hasConditions(fields)
  const writingOf = ({ tables, settings, texts }: WritingContext): Writing =>
    texts.writing(tables, dependsOnSetting ? settings['annotations.fields'] : '')
  return {
    write: (row, context) => {
      const write = rowFunction(fields, row, writingOf(context))
      return new JsonText(write(), undefined, undefined, write)
    },
    read: (row, context) => {
      const writing = writingOf(context)
      const write = rowFunction(fields, row, writing)
      return new JsonText(writing.rows.textOf(row, write), undefined, undefined, write)
    },
    pages: (context) => (rows, runs, start, end) => {
      // A page without rows depends on no setting.
      if (rows.length === 0) return new JsonText(start + end)
      const writing = writingOf(context)
      const write = (row: Row) => writeRow(fields, row as Values, writing)
      const parts = context.texts.bytes.partsOf(runs, writing.versions, write)
      return new PageText(start, parts, end, pageFunction(fields, rows, writing, [start, end]))
    },
  }
}

// Functions of their own, since the journal keeps what they see, but not the rest of the request.

function rowFunction(fields: Fields, row: object, writing: Writing): () => string {
  return () => writeRow(fields, row as Values, writing)
}

function pageFunction(
  fields: Fields,
  rows: readonly object[],
  writing: Writing,
  [start, end]: readonly [string, string],
): () => string {
  return () => start + rows.map((row) => writeRow(fields, row as Values, writing)).join(',') + end
}

/** Whether the setting `annotations.fields` decides about a field, or about one of an embedded row. */
function hasConditions(fields: Fields): boolean {
  return Object.values(fields).some(
    ({ sent }) => sent && (sent.when ?? (sent.embedded && hasConditions(sent.embedded.fields))),
  )
}

/** What rows are written with. It never changes. */
interface Writing {
  readonly tables: EmbeddedTables
  readonly setting: string
  /** The texts of the rows that responses had alone: clients read the same ones again */
  readonly rows: LatestTexts
  /** The texts of the rows that others embed */
  readonly embedded: LatestTexts
  /** What texts depend on beside their rows: a new value after each write to a list whose rows they embed, and the setting */
  readonly versions: readonly unknown[]
}

type EmbeddedTables = Pick<Tables, 'organizations' | 'users' | 'dashboard_items'>

/** More searches are not kept, no longer lists of rows, and no more texts of rows. */
const limits = { searches: 20, rows: 500_000, texts: 10_000 }

/** Texts by row. All are forgotten when there are too many. */
class LatestTexts {
  #texts = new WeakMap<object, string>()
  #count = 0

  textOf(row: object, write: () => string): string {
    const known = this.#texts.get(row)
    if (known !== undefined) return known
    if (this.#count === limits.texts) {
      this.#texts = new WeakMap()
      this.#count = 0
    }
    const text = write()
    this.#texts.set(row, text)
    this.#count += 1
    return text
  }
}

/** What is known of the texts of responses. The worlds of a simulator share it. */
export class ResponseTexts {
  readonly bytes: RowBytes = new RowBytes()
  #latest: Writing | undefined
  #searched: object | undefined
  #found = new Map<string, OrderedRows<object>>()
  #foundRows = 0

  /** @param setting the value of the setting `annotations.fields`, if the texts depend on it */
  writing({ organizations, users, dashboard_items }: EmbeddedTables, setting: string): Writing {
    const versions = [organizations.stamp, users.stamp, dashboard_items.stamp, setting]
    if (versions.some((version, index) => version !== this.#latest?.versions[index])) {
      // The journal writes its pages again, with the rows that they embedded.
      const tables = {
        organizations: organizations.fork(),
        users: users.fork(),
        dashboard_items: dashboard_items.fork(),
      }
      this.#latest = {
        tables,
        setting,
        rows: new LatestTexts(),
        embedded: new LatestTexts(),
        versions,
      }
    }
    return this.#latest as Writing
  }

  /** The rows of a search, which is done again when the list was written. @param stamp that of the list */
  search<Row extends object>(
    stamp: object,
    key: string,
    find: () => readonly Row[],
  ): OrderedRows<Row> {
    if (stamp !== this.#searched) this.#forgetSearches()
    this.#searched = stamp
    const known = this.#found.get(key)
    if (known) return known as OrderedRows<Row>
    const rows = SortedList.of<Row>(() => 0, find())
    this.#foundRows += rows.size
    if (this.#found.size >= limits.searches || this.#foundRows > limits.rows) this.#forgetSearches()
    this.#found.set(key, rows)
    return rows
  }

  #forgetSearches(): void {
    this.#found = new Map()
    this.#foundRows = 0
  }
}

/** Writes field by field, so that rows which embed the same one need not write it again. */
function writeRow(fields: Fields, row: Values, writing: Writing): string {
  let text = ''
  for (const name in fields) {
    const value = writeField(fields[name] as Field, fields, row, writing)
    if (value !== undefined) text += `${text === '' ? '{' : ','}"${name}":${value}`
  }
  return `${text}}`
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
    return other ? writeEmbedded(embedded.fields, other, writing) : 'null'
  }
  if (!from) return writeValue(convert ? convert(row[name] as never) : row[name])
  const other = findReferenced(fields[from.reference] as Field, row, writing)
  return writeValue(other?.[from.name] ?? (nullable ? null : ''))
}

function writeEmbedded(fields: Fields, row: Values, writing: Writing): string {
  return writing.embedded.textOf(row, () => writeRow(fields, row, writing))
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
