import type { SettingValues } from '../settings/setting.ts'
import { JsonText, joinJsonRows, utf8Length } from '../utils/json.ts'
import { linksFrom } from '../utils/query.ts'
import type { Entity, Field } from '../world/entities/field.ts'
import { type OrderedRows, type Run, rowsOf } from '../world/sorted-list.ts'
import type { AnyTable, RowId, Tables } from '../world/tables.ts'
import { type PageLinks, ShownPage } from './messages.ts'

interface WritingContext {
  readonly tables: Tables
  readonly settings: SettingValues
  readonly texts: RowTexts
}

type Values = Readonly<Record<string, unknown>>

type Fields = Readonly<Record<string, Field>>

type WriteField = (row: Values, pieces: string[]) => void

/** Writes rows of an entity as responses have them: always the same text, since the rows that they embed never change here. */
class RowWriter<Row extends object, Sent> {
  readonly #tables: EmbeddedTables
  readonly #setting: string
  readonly #texts: RowTexts
  readonly #fields: readonly WriteField[]
  readonly #embedded = new WeakMap<object, string>()

  /** @param setting the value of the setting `annotations.fields`, if the texts depend on it */
  constructor(fields: Fields, tables: EmbeddedTables, setting: string, texts: RowTexts) {
    this.#tables = tables
    this.#setting = setting
    this.#texts = texts
    this.#fields = this.#compile(fields)
  }

  text(row: Row): string {
    return writeRow(this.#fields, row as Values)
  }

  /** Writes a row that was just saved. A journal keeps the row only, and writes it again. */
  write(row: Row): JsonText<Sent> {
    const text = this.text(row)
    return new JsonText(() => this.text(row), undefined, utf8Length(text), [text])
  }

  #compile(fields: Fields): WriteField[] {
    return Object.values(fields).flatMap((field) => this.#compileField(field, fields) ?? [])
  }

  /** Decides once for all rows how a field is written. Undefined if responses do not have it */
  #compileField(field: Field, fields: Fields): WriteField | undefined {
    const { kind, name, nullable, sent = {} } = field
    if (sent === false) return undefined
    const { from, embedded, convert, when } = sent
    if (when && !(when as readonly string[]).includes(this.#setting)) return undefined
    const start = `,"${name}":`
    if (kind === 'nothing') return (_, pieces) => addValue(start, null, pieces)
    if (embedded) {
      const inner = this.#compile(embedded.fields)
      return (row, pieces) => {
        const other = this.#findReferenced(field, row)
        pieces.push(start, other ? this.#writeEmbedded(inner, other) : 'null')
      }
    }
    if (from) {
      const [reference, missing] = [fields[from.reference] as Field, nullable ? null : '']
      return (row, pieces) => {
        addValue(start, this.#findReferenced(reference, row)?.[from.name] ?? missing, pieces)
      }
    }
    if (convert) return (row, pieces) => addValue(start, convert(row[name] as never), pieces)
    return (row, pieces) => addValue(start, row[name], pieces)
  }

  #writeEmbedded(fields: readonly WriteField[], row: Values) {
    const kept = this.#embedded.get(row)
    if (kept !== undefined) return kept
    const text = writeRow(fields, row)
    this.#embedded.set(row, text)
    this.#texts.take(text.length + entryBytes)
    return text
  }

  /** The row that a field of another row references. */
  #findReferenced({ name, list }: Field, row: Values): Values | undefined {
    if (list === undefined || row[name] === null) return undefined
    const table: AnyTable = this.#tables[list as keyof EmbeddedTables]
    return table.get(row[name] as RowId) as Values | undefined
  }
}

type EmbeddedTables = Pick<Tables, 'organizations' | 'users' | 'dashboard_items'>

/** The rows of a chunk in UTF-8, a comma after each. */
interface EncodedRows {
  readonly encoded: Uint8Array
  /** Where each row begins, and where the last one ends */
  readonly starts: readonly number[]
}

/** How many chunks are looked through for one that a write copied: those that were encoded last. */
const latestChunks = 32

const encoder = new TextEncoder()
const noRows: EncodedRows = { encoded: new Uint8Array(), starts: [] }

/** The texts of some 1,300 usual annotations. V8 rarely collects what lives longer. */
const maxTextBytes = 1024 * 1024

/** Of so many rows it is known that they were read */
const readRows = 1_024

/** Writes rows of an entity, and keeps what it wrote: the bytes of rows in lists, and the texts of those that are read alone. */
class KeptRows<Row extends object, Sent> {
  /** Keeps nothing of a row: most that were just saved are saved again before they are read */
  readonly writer: RowWriter<Row, Sent>
  readonly #budget: RowTexts
  #texts = new WeakMap<Row, JsonText<Sent>>()
  #textBytes = 0
  /** Rows that were read alone: of very many, most texts would be forgotten before they are read again */
  #read: Row[] | undefined
  /** By chunk, which never changes */
  readonly #chunks = new WeakMap<readonly Row[], EncodedRows>()
  #latest: (readonly Row[])[] = []

  constructor(writer: RowWriter<Row, Sent>, budget: RowTexts) {
    this.writer = writer
    this.#budget = budget
  }

  write(row: Row): JsonText<Sent> {
    const kept = this.#texts.get(row)
    if (kept) return kept
    if (!this.#read) {
      this.#read = Array(readRows)
      this.#budget.take(8 * readRows)
    }
    const index = ((row as Values).id as number) % readRows
    if (this.#read[index] !== row) {
      this.#read[index] = row
      return this.writer.write(row)
    }
    const text = new JsonText<Sent>(this.writer.text(row))
    if (this.#textBytes > maxTextBytes) {
      this.#texts = new WeakMap()
      this.#budget.take(-this.#textBytes)
      this.#textBytes = 0
    }
    const bytes = text.bytes + entryBytes
    this.#texts.set(row, text)
    this.#textBytes += bytes
    this.#budget.take(bytes)
    return text
  }

  encode(chunk: readonly Row[]): EncodedRows {
    const kept = this.#chunks.get(chunk)
    if (kept) return kept
    const isCopied = (other: readonly Row[]) =>
      other[0] === chunk[0] || other.at(-1) === chunk.at(-1)
    const former = this.#latest.find(isCopied) ?? []
    const { encoded: bytes, starts: ends } = this.#chunks.get(former) ?? noRows
    const parts = chunk.map((row) => {
      const index = former.indexOf(row)
      if (index < 0) return encoder.encode(`${this.writer.text(row)},`)
      return bytes.subarray(ends[index], ends[index + 1])
    })
    const starts = [0]
    for (const { length } of parts) starts.push((starts.at(-1) as number) + length)
    const encoded = new Uint8Array(starts.at(-1) as number)
    for (const [index, part] of parts.entries()) encoded.set(part, starts[index])
    const others = this.#latest.filter((other) => other !== former)
    this.#latest = [chunk, ...others].slice(0, latestChunks)
    this.#chunks.set(chunk, { encoded, starts })
    this.#budget.take(encoded.length + entryBytes * starts.length)
    return { encoded, starts }
  }
}

/** Creates what writes the rows of an entity for one request. */
export type CreateRowWriter<Row extends object, Sent> = (
  context: WritingContext,
) => KeptRows<Row, Sent>

/** @example createRowWriter<UserRow, User>(user)(context).write(row).text // '{"id":1,…}' */
export function createRowWriter<Row extends object, Sent>(
  entity: Pick<Entity, 'fields'>,
): CreateRowWriter<Row, Sent> {
  const fields: Fields = entity.fields
  const dependsOnSetting = hasConditions(fields)
  return ({ tables, settings, texts }) =>
    texts.of(fields, tables, dependsOnSetting ? settings['annotations.fields'] : '')
}

/** Whether the setting `annotations.fields` decides about a field, or about one of an embedded row. */
function hasConditions(fields: Fields): boolean {
  return Object.values(fields).some(
    ({ sent }) => sent && (sent.when ?? (sent.embedded && hasConditions(sent.embedded.fields))),
  )
}

function writeRow(fields: readonly WriteField[], row: Values) {
  const pieces: string[] = []
  for (const write of fields) write(row, pieces)
  // Without the first comma.
  pieces[0] = `{${pieces[0]?.slice(1)}`
  pieces.push('}')
  return pieces.join('')
}

/** Most texts need no escape: to look for one is faster than to write them by `JSON.stringify`. */
function addValue(start: string, value: unknown, pieces: string[]) {
  if (value === undefined) return
  if (value === null) pieces.push(start, 'null')
  else if (typeof value === 'string' && /^[ !#-[\]-~]*$/.test(value))
    pieces.push(start, '"', value, '"')
  else pieces.push(start, JSON.stringify(value))
}

/**
 * The texts and the bytes of rows: clients read the same ones again, and many rows embed the same user. Rows never change, so
 * that a text is right until one of the few rows changes which others embed. The worlds of a simulator share it: those whose
 * embedded rows are the same have the same texts, which end with the last of these worlds. When it is full, it forgets all.
 */
export class RowTexts {
  #all = new StampTexts()
  #bytes = 0

  /** The rows of worlds with the same embedded rows. */
  of<Row extends object, Sent>(
    fields: Fields,
    { organizations, users, dashboard_items }: EmbeddedTables,
    setting: string,
  ): KeptRows<Row, Sent> {
    let texts = this.#all
    for (const key of [organizations.stamp, users.stamp, dashboard_items.stamp, fields])
      texts = texts.next(key)
    let rows = texts.bySetting.get(setting)
    if (!rows) {
      const tables = {
        organizations: organizations.fork(),
        users: users.fork(),
        dashboard_items: dashboard_items.fork(),
      }
      rows = new KeptRows(new RowWriter(fields, tables, setting, this), this)
      texts.bySetting.set(setting, rows)
    }
    return rows as KeptRows<Row, Sent>
  }

  take(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes <= maxBytes) return
    this.#all = new StampTexts()
    this.#bytes = 0
  }
}

/** The bytes of 100,000 usual annotations, and those of chunks that changed meanwhile */
const maxBytes = 144 * 1024 * 1024

/** What an entry takes beside its text or bytes */
const entryBytes = 150

/** Kept rows, by the stamp of each list of embedded rows and by their fields, one after the other. */
class StampTexts {
  readonly bySetting = new Map<string, KeptRows<object, unknown>>()
  readonly #byNext = new WeakMap<object, StampTexts>()

  next(key: object): StampTexts {
    let texts = this.#byNext.get(key)
    if (!texts) {
      texts = new StampTexts()
      this.#byNext.set(key, texts)
    }
    return texts
  }
}

/** Which rows of a list a page has, and the URL that was requested, from which its links are made. */
interface LinkedWindow {
  readonly limit: number | bigint
  readonly offset: number | bigint
  readonly url: string
}

/** The rows of longer pages are not kept for the rules about clients. */
const maxShownRows = 10_000

/** A page, with what the rules about clients see of it. */
export class JsonPage {
  readonly body: JsonText<unknown>
  readonly shown: ShownPage | undefined

  constructor(body: JsonText<unknown>, shown?: ShownPage) {
    this.body = body
    this.shown = shown
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
  createWriter: () => KeptRows<Row, unknown>,
): JsonPage {
  const [limit, offset] = [Number(window.limit), Number(window.offset)]
  const runs = ordered.runs?.(offset, limit)
  const rows = runs ? rowsOf(runs) : ordered.slice(offset, limit)
  const links = linksOf(ordered.size, window)
  const { next, previous } = links
  const urls = `"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)}`
  const start = `{"count":${ordered.size},${urls},"results":[`
  const body =
    rows.length === 0 ? joinJsonRows([], start, ']}') : joinRows(rows, runs, createWriter(), start)
  if (rows.length > maxShownRows) return new JsonPage(body)
  const [before] = offset > 0 ? ordered.slice(offset - 1, 1) : []
  return new JsonPage(body, new ShownPage(rows, links, before?.id))
}

/** The rows of a page as JSON: from the bytes of their chunks, if it has chunks, or from their texts. */
function joinRows<Row extends object>(
  rows: readonly Row[],
  runs: readonly Run<Row>[] | undefined,
  kept: KeptRows<Row, unknown>,
  start: string,
) {
  const texts = runs ? [] : rows.map((row) => kept.write(row).text)
  const parts = runs?.map(({ chunk, from, to }, index) => {
    const { encoded, starts } = kept.encode(chunk)
    // Without the comma after the last row.
    const end = (starts[to] as number) - (index === runs.length - 1 ? 1 : 0)
    return encoded.subarray(starts[from], end)
  }) ?? [encoder.encode(texts.join(','))]
  const bytes = parts.reduce((sum, { length }) => sum + length, utf8Length(start) + 2)
  return new JsonText(textOf(rows, kept.writer, start), undefined, bytes, [start, ...parts, ']}'])
}

/** Writes a page again. A journal keeps it, and so no more than what it is made here with: the rows, and no chunks. */
function textOf<Row extends object>(
  rows: readonly Row[],
  writer: KeptRows<Row, unknown>['writer'],
  start: string,
) {
  return () => `${start}${rows.map((row) => writer.text(row)).join(',')}]}`
}

/** The links always contain the effective limit, and omit an offset of 0 or less. Seen by running Django REST Framework. */
function linksOf(count: number, { limit, offset, url }: LinkedWindow): PageLinks {
  const end = Number(offset) + Number(limit)
  if (end >= count && offset <= 0) return { next: null, previous: null }
  const linkTo = linksFrom(url)
  // Only numbers that are not exact are bigints, which take longer.
  const former = Number.isSafeInteger(end)
    ? Number(offset) - Number(limit)
    : BigInt(offset) - BigInt(limit)
  return {
    next: end < count ? linkTo({ limit, offset: end }) : null,
    previous: offset > 0 ? linkTo({ limit, offset: former > 0 ? former : null }) : null,
  }
}
