import type { SettingValues } from '../settings/setting.ts'
import { JsonText, joinJsonRows } from '../utils/json.ts'
import { type QueryPair, splitQuery, writeQuery } from '../utils/query.ts'
import type { Entity, Field } from '../world/entities/field.ts'
import { type OrderedRows, type Run, rowsOf } from '../world/sorted-list.ts'
import type { AnyTable, RowId, Tables } from '../world/tables.ts'
import {
  anyText,
  integer,
  listOf,
  nullableShape,
  objectOf,
  type Shape,
} from './fields/body-fields.ts'
import { queryString, type ShownPage } from './messages.ts'

/** The rows to write, and what is needed to write them. */
interface WritingContext {
  readonly tables: Tables
  readonly settings: SettingValues
  readonly texts: RowTexts
}

type Fields = Readonly<Record<string, Field>>
type Values = Readonly<Record<string, unknown>>

/** Writes the rows of a page. */
interface PageWriter<Row> {
  write(row: Row): JsonText<unknown>
  /** Writes rows of a list that is kept. By default each row is written by itself */
  encode?(chunk: readonly Row[]): EncodedRows
}

/** Writes rows of an entity as responses have them, for one request. */
class RowWriter<Row extends object, Sent> implements PageWriter<Row> {
  readonly #fields: Fields
  readonly #tables: EmbeddedTables
  readonly #texts: RowTexts
  readonly #kept: KeptTexts
  readonly #setting: string

  /** @param setting the value of the setting `annotations.fields`, if the texts depend on it */
  constructor(fields: Fields, { tables, texts }: WritingContext, setting: string) {
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

  #writeRow<Written>(fields: Fields, row: Values): JsonText<Written> {
    const members: string[] = []
    for (const name in fields) {
      const value = this.#writeField(fields[name] as Field, fields, row)
      if (value !== undefined) members.push(`"${name}":${value}`)
    }
    return new JsonText(`{${members.join(',')}}`)
  }

  /** @returns undefined for a field that responses do not have */
  #writeField(field: Field, fields: Fields, row: Values): string | undefined {
    const { kind, name, nullable, sent = {} } = field
    if (sent === false) return undefined
    const { from, embedded, convert, when } = sent
    if (when && !(when as readonly string[]).includes(this.#setting)) return undefined
    if (kind === 'nothing') return 'null'
    if (embedded) {
      const other = this.#findReferenced(field, row)
      if (!other) return 'null'
      const write = () => this.#writeRow(embedded.fields, other)
      return this.#texts.keep(this.#kept.embedded, other, write).text
    }
    if (!from) return writeValue(convert ? convert(row[name] as never) : row[name])
    const other = this.#findReferenced(fields[from.reference] as Field, row)
    return writeValue(other?.[from.name] ?? (nullable ? null : ''))
  }

  /** The row that a field of another row references. */
  #findReferenced({ name, list }: Field, row: Values): Values | undefined {
    if (list === undefined || row[name] === null) return undefined
    const table: AnyTable = this.#tables[list as keyof EmbeddedTables]
    return table.get(row[name] as RowId) as Values | undefined
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
  const fields: Fields = entity.fields
  const dependsOnSetting = hasConditions(fields)
  return (context) => {
    const setting = dependsOnSetting ? context.settings['annotations.fields'] : ''
    return new RowWriter(fields, context, setting)
  }
}

/** Whether the setting `annotations.fields` decides about a field, or about one of an embedded row. */
function hasConditions(fields: Fields): boolean {
  return Object.values(fields).some(
    ({ sent }) => sent && (sent.when ?? (sent.embedded && hasConditions(sent.embedded.fields))),
  )
}

/** Most texts need no escape: to look for one is faster than to write them by `JSON.stringify`. */
function writeValue(value: unknown): string | undefined {
  const isPlain = typeof value === 'string' && /^[ !#-[\]-~]*$/.test(value)
  return isPlain ? `"${value}"` : JSON.stringify(value)
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

/** Rows in UTF-8, a comma after each. */
interface EncodedRows {
  readonly texts: readonly JsonText<unknown>[]
  readonly encoded: Uint8Array
  /** Where each row begins, and where the last one ends */
  readonly starts: readonly number[]
  /** The memory that it takes beside its texts */
  readonly bytes: number
}

const encoder = new TextEncoder()

function encodeRows(texts: readonly JsonText<unknown>[]): EncodedRows {
  const starts = [0]
  for (const { bytes } of texts) starts.push((starts.at(-1) as number) + bytes + 1)
  const encoded = encoder.encode(texts.map(({ text }) => `${text},`).join(''))
  return { texts, encoded, starts, bytes: encoded.length + 16 * starts.length }
}

/** One page of a list. */
export interface Page<T> {
  /** The number of results on all pages. */
  count: number
  /** The absolute URL of the next page; null on the last page. */
  next: string | null
  /** The absolute URL of the previous page; null on the first page. */
  previous: string | null
  results: T[]
}

export function pageShape<T>(row: Shape<T>): Shape<Page<T>> {
  return objectOf({
    count: integer,
    next: nullableShape(anyText),
    previous: nullableShape(anyText),
    results: listOf(row),
  })
}

/** Which rows of a list a page has, and the URL that was requested, from which its links are made. */
interface LinkedWindow {
  readonly limit: number
  readonly offset: number
  readonly url: string
}

/** The rows of longer pages are not kept for the rules about clients. */
const maxShownRows = 10_000

/** A page, with what the rules about clients see of it. */
export class JsonPage {
  readonly body: JsonText<unknown>
  /** Only of rows with an id */
  readonly shown: ShownPage | undefined

  constructor(body: JsonText<unknown>, shown?: ShownPage) {
    this.body = body
    this.shown = shown
  }
}

/** Rows that were found for one request. */
export function foundRows<Row>(rows: readonly Row[]): OrderedRows<Row> {
  return {
    size: rows.length,
    slice: (offset, limit) => rows.slice(offset, offset + limit),
  }
}

/**
 * Makes a page of rows in order, with links to the pages next to it.
 *
 * @param createWriter is not called for a page without rows, which does not depend on the settings that it reads
 */
export function toPage<Row extends { readonly id: number }>(
  ordered: OrderedRows<Row>,
  window: LinkedWindow,
  createWriter: () => PageWriter<Row>,
): JsonPage {
  const { limit, offset } = window
  const runs = ordered.runs?.(offset, limit)
  const rows = runs ? rowsOf(runs) : ordered.slice(offset, limit)
  const links = linksOf(ordered.size, window)
  const start = startOfPage(ordered.size, links)
  const body =
    rows.length === 0 ? joinJsonRows([], start, ']}') : joinRows(rows, runs, createWriter(), start)
  if (rows.length > maxShownRows) return new JsonPage(body)
  const [before] = offset > 0 ? ordered.slice(offset - 1, 1) : []
  return new JsonPage(body, { rows, ...links, before: before?.id })
}

/** The rows of a page as JSON: from the bytes of their chunks, if they are kept. */
function joinRows<Row>(
  rows: readonly Row[],
  runs: readonly Run<Row>[] | undefined,
  writer: PageWriter<Row>,
  start: string,
): JsonText<unknown> {
  if (!runs || !writer.encode) {
    return joinJsonRows(
      rows.map((row) => writer.write(row)),
      start,
      ']}',
    )
  }
  const texts: JsonText<unknown>[] = []
  const parts: Uint8Array[] = []
  for (const { chunk, from, to } of runs) {
    const { encoded, starts, texts: all } = writer.encode(chunk)
    texts.push(...all.slice(from, to))
    parts.push(encoded.subarray(starts[from], starts[to]))
  }
  return joinJsonRows(texts, start, ']}', parts)
}

/** Makes a page of rows that are written already, of which the rules about clients know nothing. */
export function toTextPage(rows: readonly JsonText<unknown>[], window: LinkedWindow): JsonPage {
  const { limit, offset } = window
  const start = startOfPage(rows.length, linksOf(rows.length, window))
  return new JsonPage(joinJsonRows(rows.slice(offset, offset + limit), start, ']}'))
}

type Links = Pick<ShownPage, 'next' | 'previous'>

/** The links always contain the effective limit, and omit an offset of 0 or less. Seen by running Django REST Framework. */
function linksOf(count: number, { limit, offset, url }: LinkedWindow): Links {
  const linkTo = (start: number) => linkWith(url, { limit, offset: start > 0 ? start : null })
  return {
    next: offset + limit < count ? linkTo(offset + limit) : null,
    previous: offset > 0 ? linkTo(offset - limit) : null,
  }
}

/**
 * The URL of a request with other numbers in its query, or without those that are null. It keeps all other parameters, sorted
 * by name and encoded as Python's `urlencode` does.
 */
export function linkWith(url: string, numbers: Readonly<Record<string, number | null>>): string {
  const others = splitQuery(queryString(url)).filter(([name]) => !Object.hasOwn(numbers, name))
  const set = Object.entries(numbers).filter(([, number]) => number !== null)
  const pairs = [...others, ...set.map(([name, number]): QueryPair => [name, String(number)])]
  const query = writeQuery(pairs.sort(byName)).replaceAll('*', '%2A').replaceAll('%7E', '~')
  return `${url.replace(/[?#].*/s, '')}?${query}`
}

function byName([a]: QueryPair, [b]: QueryPair): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function startOfPage(count: number, { next, previous }: Links): string {
  const links = `"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)}`
  return `{"count":${count},${links},"results":[`
}
