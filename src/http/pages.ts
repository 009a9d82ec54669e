import type { SettingValues } from '../settings/setting.ts'
import { JsonText, joinJsonRows } from '../utils/json.ts'
import { parseQuery } from '../utils/query.ts'
import type { Entity, Field } from '../world/entities/field.ts'
import { type OrderedRows, orderedRows } from '../world/table.ts'
import type { AnyTable, RowId, Tables } from '../world/tables.ts'
import {
  anyText,
  integer,
  listOf,
  nullableShape,
  objectOf,
  type Shape,
} from './fields/body-fields.ts'
import { queryString, type ShownPage, withQuery } from './messages.ts'

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
export interface LinkedWindow {
  readonly limit: number
  readonly offset: number
  readonly url: string
}

/** The pages that were made of a list. */
interface MadePages {
  readonly pages: KeptPages
  /** What they depend on beside the list and their window */
  readonly key: string
}

/** The rows of longer pages are not kept for the rules about clients. */
const maxShownRows = 10_000

/**
 * Makes a page of rows in order, with links to the pages next to it.
 *
 * @param write writes a row as responses have it
 * @param made a page that is one of them is not made again
 */
export function toPage<Row extends { readonly id: number }>(
  ordered: OrderedRows<Row>,
  window: LinkedWindow,
  write: (row: Row) => JsonText<unknown>,
  made?: MadePages,
): JsonPage {
  const { limit, offset, url } = window
  const key = `${made?.key} ${limit} ${offset} ${url}`
  const known = made?.pages.get(key)
  if (known !== undefined) return known
  const rows = ordered.slice(offset, limit)
  const [before] = offset > 0 ? ordered.slice(offset - 1, 1) : []
  const shown = { rows, ...linksOf(ordered.size, window), before: before?.id }
  const body = writePage(ordered.size, shown, rows.map(write))
  const page = new JsonPage(body, rows.length <= maxShownRows ? shown : undefined)
  made?.pages.set(key, page)
  return page
}

/** Makes a page of rows that are written already, of which the rules about clients know nothing. */
export function toTextPage(rows: readonly JsonText<unknown>[], window: LinkedWindow): JsonPage {
  const { limit, offset } = window
  const links = linksOf(rows.length, window)
  return new JsonPage(writePage(rows.length, links, rows.slice(offset, offset + limit)))
}

type Links = Pick<ShownPage, 'next' | 'previous'>

/**
 * The links are the URL of the request with another offset. They always contain the effective limit, they omit an offset of 0
 * or less, and they keep all other parameters, sorted by name. Seen by running Django REST Framework.
 */
function linksOf(count: number, { limit, offset, url }: LinkedWindow): Links {
  const query = parseQuery(queryString(url))
  query.set('limit', String(limit))
  const linkTo = (start: number): string => {
    if (start > 0) query.set('offset', String(start))
    else query.delete('offset')
    return withQuery(url, query)
  }
  return {
    next: offset + limit < count ? linkTo(offset + limit) : null,
    previous: offset > 0 ? linkTo(offset - limit) : null,
  }
}

function writePage(count: number, { next, previous }: Links, rows: readonly JsonText<unknown>[]) {
  const links = `"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)}`
  return joinJsonRows(rows, `{"count":${count},${links},"results":[`, ']}')
}

/**
 * The texts of rows and pages, as responses have them. The worlds of a simulator share them: a changed row is another
 * object, and a written list has another stamp.
 */
export class ResponseTexts {
  readonly rows = new RowTexts()
  readonly #pages = new KeptPages()

  /** The pages of a list that were made since one of its rows, or of those that they embed, was last written. */
  pagesOf(tables: Tables, { stamp }: { readonly stamp: object }): KeptPages {
    this.#pages.keepOnly([stamp, ...stampsOf(tables)])
    return this.#pages
  }
}

type ByRow = WeakMap<object, JsonText<unknown>>

/** What rows are written with. */
interface Writing {
  readonly tables: Tables
  readonly setting: string
  readonly texts: ByRow
}

/** The texts of rows, until a list is written whose rows they embed. */
class RowTexts {
  /** By the stamps of these lists, one after the other, and by what else the texts depend on */
  readonly #known = new WeakMap<object, WeakMap<object, WeakMap<object, Map<string, ByRow>>>>()

  /** @param setting the value of the setting `annotations.fields`, if they depend on it */
  of(tables: Tables, setting: string): Writing {
    const [organizations, users, items] = stampsOf(tables)
    const byUsers = knownOr(this.#known, organizations, () => new WeakMap())
    const byItems = knownOr(byUsers, users, () => new WeakMap())
    const byFields = knownOr(byItems, items, () => new Map<string, ByRow>())
    return { tables, setting, texts: knownOr(byFields, setting, () => new WeakMap()) }
  }
}

/** The stamps of the lists whose rows responses embed: each write makes a new one. */
function stampsOf({ organizations, users, dashboard_items }: Tables) {
  return [organizations.stamp, users.stamp, dashboard_items.stamp] as const
}

interface Known<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

function knownOr<Key, Value>(known: Known<Key, Value>, key: Key, create: () => Value): Value {
  const value = known.get(key) ?? create()
  known.set(key, value)
  return value
}

/** A page as JSON text, or its bytes: those of a page that is sent again need not be joined. */
export class JsonPage {
  readonly body: JsonText<unknown> | Uint8Array
  /** Only of rows with an id */
  readonly shown: ShownPage | undefined

  constructor(body: JsonPage['body'], shown?: ShownPage) {
    this.body = body
    this.shown = shown
  }
}

/** More pages or searches are not kept, and not more bytes. */
const limits = { pages: 20, bytes: 4 * 1024 * 1024 }

/** The memory of a row of a search, which belongs to the world. */
const referenceBytes = 8

/** The latest pages and searches of a list as it is: to join a thousand rows takes ten times as long as to find them. */
export class KeptPages {
  #stamps: readonly object[] = []
  #pages = new Map<string, JsonPage>()
  #found = new Map<string, OrderedRows<unknown>>()
  #bytes = 0

  /** Forgets the pages of other stamps. */
  keepOnly(stamps: readonly object[]): void {
    if (stamps.some((stamp, index) => stamp !== this.#stamps[index])) this.#clear()
    this.#stamps = stamps
  }

  /** @param key all that a page depends on beside the rows */
  get(key: string): JsonPage | undefined {
    const page = this.#pages.get(key)
    if (!(page?.body instanceof JsonText)) return page
    const encoded = new JsonPage(new TextEncoder().encode(page.body.text), page.shown)
    this.#pages.set(key, encoded)
    return encoded
  }

  /** The rows of a search, which is done again when the list was written. */
  search<Row>(key: string, find: () => readonly Row[]): OrderedRows<Row> {
    const known = this.#found.get(key)
    if (known) return known as OrderedRows<Row>
    const rows = orderedRows(find())
    this.#makeRoom(this.#found, rows.size * referenceBytes)
    this.#found.set(key, rows)
    return rows
  }

  set(key: string, page: JsonPage): void {
    const bytes = page.body instanceof JsonText ? page.body.bytes : page.body.length
    if (bytes > limits.bytes) return
    this.#makeRoom(this.#pages, bytes)
    this.#pages.set(key, page)
  }

  #makeRoom({ size }: ReadonlyMap<string, unknown>, bytes: number): void {
    if (size >= limits.pages || this.#bytes + bytes > limits.bytes) this.#clear()
    this.#bytes += bytes
  }

  #clear(): void {
    this.#pages = new Map()
    this.#found = new Map()
    this.#bytes = 0
  }
}

type Values = Readonly<Record<string, unknown>>

/** The rows that are written, and what they are written by. */
export interface WritingContext {
  readonly tables: Tables
  readonly settings: SettingValues
  readonly texts: ResponseTexts
}

/** Returns a function that writes rows as JSON text, as responses have them now. */
export type RowWriter<Row, Sent> = (context: WritingContext) => (row: Row) => JsonText<Sent>

/**
 * Writes the rows of an entity, with the fields of the rows that they reference. A text is kept until the row changes, or
 * a row that can be embedded.
 */
export function createRowWriter<Row extends object, Sent>(
  entity: Pick<Entity, 'fields'>,
): RowWriter<Row, Sent> {
  const fields: Fields = entity.fields
  const dependsOnSetting = hasConditions(fields)
  return ({ tables, settings, texts: { rows } }) => {
    let writing: Writing | undefined
    return (row) => {
      // Read with the first row: a page without rows depends on no setting.
      writing ??= rows.of(tables, dependsOnSetting ? settings['annotations.fields'] : '')
      return writeRow(fields, row as Values, writing) as JsonText<Sent>
    }
  }
}

type Fields = Readonly<Record<string, Field>>

/** Whether the setting `annotations.fields` decides about a field, or about one of an embedded row. */
function hasConditions(fields: Readonly<Record<string, Field>>): boolean {
  return Object.values(fields).some(
    ({ sent }) => sent && (sent.when ?? (sent.embedded && hasConditions(sent.embedded.fields))),
  )
}

/** Writes field by field, so that rows which embed the same one need not write it again. */
function writeRow(fields: Fields, row: Values, writing: Writing): JsonText<unknown> {
  const known = writing.texts.get(row)
  if (known) return known
  const pairs: string[] = []
  for (const name in fields) {
    const value = writeField(fields[name] as Field, fields, row, writing)
    if (value !== undefined) pairs.push(`"${name}":${value}`)
  }
  // Joined, because a page is slow to join from texts that the engine keeps in parts.
  const text = new JsonText(['{', pairs.join(','), '}'].join(''))
  writing.texts.set(row, text)
  return text
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
    const other = findReferenced(field, row, writing.tables)
    return other ? writeRow(embedded.fields, other, writing).text : 'null'
  }
  if (!from) return writeValue(convert ? convert(row[name] as never) : row[name])
  const other = findReferenced(fields[from.reference] as Field, row, writing.tables)
  return writeValue(other?.[from.name] ?? (nullable ? null : ''))
}

/** Most texts need no escape: to look for one is faster than to write them by `JSON.stringify`. */
function writeValue(value: unknown): string | undefined {
  const isPlain = typeof value === 'string' && /^[ !#-[\]-~]*$/.test(value)
  return isPlain ? `"${value}"` : JSON.stringify(value)
}

/** The row that a field of another row references. */
function findReferenced({ name, list }: Field, row: Values, tables: Tables): Values | undefined {
  if (list === undefined) return undefined
  const table: AnyTable = tables[list]
  return table.get(row[name] as RowId) as Values | undefined
}
