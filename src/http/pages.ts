import { type JsonText, joinJsonRows } from '../utils/json.ts'
import { type QueryPair, splitQuery } from '../utils/query.ts'
import type { OrderedRows } from '../world/sorted-list.ts'
import {
  anyText,
  integer,
  listOf,
  nullableShape,
  objectOf,
  type Shape,
} from './fields/body-fields.ts'
import { queryString, type ShownPage, withoutQuery, writeParameters } from './messages.ts'
import { encodeChunk, type WriteRow } from './row-writer.ts'

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

/**
 * Makes a page of rows in order, with links to the pages next to it.
 *
 * @param writer is not called for a page without rows, which does not depend on the settings that it reads
 */
export function toPage<Row extends { readonly id: number }>(
  ordered: OrderedRows<Row>,
  window: LinkedWindow,
  writer: () => WriteRow<Row, unknown>,
): JsonPage {
  const { limit, offset } = window
  const rows = ordered.slice(offset, limit)
  const links = linksOf(ordered.size, window)
  const start = startOfPage(ordered.size, links)
  const body =
    rows.length === 0 ? joinJsonRows([], start, ']}') : joinRows(ordered, window, writer(), start)
  if (rows.length > maxShownRows) return new JsonPage(body)
  const [before] = offset > 0 ? ordered.slice(offset - 1, 1) : []
  return new JsonPage(body, { rows, ...links, before: before?.id })
}

/** The rows of a page as JSON: from the bytes of their chunks, if they are kept. */
function joinRows<Row>(
  ordered: OrderedRows<Row>,
  { limit, offset }: LinkedWindow,
  write: WriteRow<Row, unknown>,
  start: string,
): JsonText<unknown> {
  const { chunks } = write
  const runs = chunks && ordered.runs?.(offset, limit)
  if (!runs) return joinJsonRows(ordered.slice(offset, limit).map(write), start, ']}')
  const texts: JsonText<unknown>[] = []
  const encoded = runs.map(({ chunk, from, to }) => {
    const kept = chunks.get(chunk, () => encodeChunk(chunk.map(write)))
    texts.push(...kept.texts.slice(from, to))
    return kept.bytes.subarray(kept.starts[from], kept.starts[to])
  })
  return joinJsonRows(texts, start, ']}', encoded)
}

/** Makes a page of rows that are written already, of which the rules about clients know nothing. */
export function toTextPage(rows: readonly JsonText<unknown>[], window: LinkedWindow): JsonPage {
  const { limit, offset } = window
  const start = startOfPage(rows.length, linksOf(rows.length, window))
  return new JsonPage(joinJsonRows(rows.slice(offset, offset + limit), start, ']}'))
}

type Links = Pick<ShownPage, 'next' | 'previous'>

/**
 * The links are the URL of the request with another offset. They always contain the effective limit, they omit an offset of 0
 * or less, and they keep all other parameters, sorted by name. Seen by running Django REST Framework.
 */
function linksOf(count: number, { limit, offset, url }: LinkedWindow): Links {
  const address = withoutQuery(url)
  const pairs = splitQuery(queryString(url))
  const others = pairs.filter(([name]) => name !== 'limit' && name !== 'offset')
  const linkTo = (start: number): string => {
    const parameters: QueryPair[] = [...others, ['limit', String(limit)]]
    if (start > 0) parameters.push(['offset', String(start)])
    return `${address}?${writeParameters(parameters.sort(byName))}`
  }
  return {
    next: offset + limit < count ? linkTo(offset + limit) : null,
    previous: offset > 0 ? linkTo(offset - limit) : null,
  }
}

function byName([a]: QueryPair, [b]: QueryPair): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function startOfPage(count: number, { next, previous }: Links): string {
  const links = `"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)}`
  return `{"count":${count},${links},"results":[`
}
