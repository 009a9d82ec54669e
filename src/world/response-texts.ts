import { JsonText } from '../utils/json.ts'
import { type OrderedRows, orderedRows } from './table.ts'

/**
 * The texts of rows as responses have them, by what they depend on beside rows. Forks share them, until a list is written
 * whose rows responses embed.
 */
export interface ResponseTexts {
  /** The stamps of the lists whose rows are embedded */
  readonly embedded: readonly object[]
  /** By row: a changed row is another object */
  readonly byFields: Map<string, WeakMap<object, JsonText<unknown>>>
  readonly pages: KeptPages
}

interface Stamped {
  /** A new object after each write */
  readonly stamp: object
}

/** The tables whose rows responses embed. */
interface EmbeddedTables {
  readonly organizations: Stamped
  readonly users: Stamped
  readonly dashboard_items: Stamped
}

/** Tables with the texts that were made with them. */
interface TablesWithTexts extends EmbeddedTables {
  texts: ResponseTexts
}

/** The texts that were made with the current rows. @param fields the value of the setting `annotations.fields`, if they depend on it */
export function textsOf(
  tables: TablesWithTexts,
  fields: string,
): WeakMap<object, JsonText<unknown>> {
  const { byFields } = currentTexts(tables)
  const known = byFields.get(fields) ?? new WeakMap<object, JsonText<unknown>>()
  byFields.set(fields, known)
  return known
}

/** The pages of a list that were made since one of its rows, or of those that they embed, was last written. */
export function pagesOf(tables: TablesWithTexts, { stamp }: Stamped): KeptPages {
  const { pages } = currentTexts(tables)
  pages.keepOnly(stamp)
  return pages
}

function currentTexts(tables: TablesWithTexts): ResponseTexts {
  const embedded = stampsOf(tables)
  if (embedded.some((stamp, index) => stamp !== tables.texts.embedded[index])) {
    tables.texts = createTexts(tables)
  }
  return tables.texts
}

export function createTexts(tables: EmbeddedTables): ResponseTexts {
  return { embedded: stampsOf(tables), byFields: new Map(), pages: new KeptPages() }
}

function stampsOf({ organizations, users, dashboard_items }: EmbeddedTables): object[] {
  return [organizations.stamp, users.stamp, dashboard_items.stamp]
}

/** More pages or searches are not kept, and not more bytes. */
const limits = { pages: 20, bytes: 4 * 1024 * 1024 }

/** The memory of a row of a search, which belongs to the world. */
const referenceBytes = 8

/** What a page of a list shows. Rows are never changed in place, so that to keep them costs next to nothing. */
export interface ShownPage {
  readonly rows: readonly { readonly id: number }[]
  readonly next: string | null
  readonly previous: string | null
  /** The id of the row before the first one. Only if there is one */
  readonly before: number | undefined
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

/** The latest pages and searches of a list as it is: to join a thousand rows takes ten times as long as to find them. */
export class KeptPages {
  #stamp: object | null = null
  #pages = new Map<string, JsonPage>()
  #found = new Map<string, OrderedRows<unknown>>()
  #bytes = 0

  /** Forgets the pages of another stamp. */
  keepOnly(stamp: object): void {
    if (stamp !== this.#stamp) this.#clear()
    this.#stamp = stamp
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
