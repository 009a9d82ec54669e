import { JsonText, joinJsonRows, utf8Length } from '../utils/json.ts'
import { type QueryPair, splitQuery, writeQuery } from '../utils/query.ts'
import { compareText } from '../utils/text.ts'
import { type OrderedRows, type Run, rowsOf } from '../world/sorted-list.ts'
import {
  anyText,
  integer,
  listOf,
  nullableShape,
  objectOf,
  type Shape,
} from './fields/body-fields.ts'
import { queryString, type ShownPage } from './messages.ts'
import type { KeptRows } from './written-rows.ts'

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
  createWriter: () => KeptRows<Row, unknown>,
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

/** The rows of a page as JSON: from the bytes of their chunks, if it has chunks. */
function joinRows<Row extends object>(
  rows: readonly Row[],
  runs: readonly Run<Row>[] | undefined,
  kept: KeptRows<Row, unknown>,
  start: string,
): JsonText<unknown> {
  if (!runs) {
    const texts = rows.map((row) => kept.write(row))
    return joinJsonRows(texts, start, ']}')
  }
  const parts = runs.map(({ chunk, from, to }, index) => {
    const { encoded, starts } = kept.encode(chunk)
    // Without the comma after the last row.
    const end = (starts[to] as number) - (index === runs.length - 1 ? 1 : 0)
    return encoded.subarray(starts[from], end)
  })
  const bytes = parts.reduce((sum, { length }) => sum + length, utf8Length(start) + 2)
  return new JsonText(textOf(rows, kept.writer, start), undefined, bytes, [start, ...parts, ']}'])
}

/** Writes a page again. A journal keeps it, and so no more than what it is made here with: the rows, and no chunks. */
function textOf<Row extends object>(
  rows: readonly Row[],
  writer: KeptRows<Row, unknown>['writer'],
  start: string,
): () => string {
  return () => `${start}${rows.map((row) => writer.text(row)).join(',')}]}`
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
  const [hasNext, hasPrevious] = [offset + limit < count, offset > 0]
  if (!hasNext && !hasPrevious) return { next: null, previous: null }
  const link = linkFrom(url, ['limit', 'offset'])
  const linkTo = (start: number) => link({ limit, offset: start > 0 ? start : null })
  return {
    next: hasNext ? linkTo(offset + limit) : null,
    previous: hasPrevious ? linkTo(offset - limit) : null,
  }
}

/**
 * Writes the URL of a request with other numbers in its query, or without those that are null. It keeps all other parameters,
 * sorted by name and encoded as Python's `urlencode` does.
 *
 * @param names those of the numbers, in order
 */
export function linkFrom<Name extends string>(
  url: string,
  names: readonly Name[],
): (numbers: Readonly<Record<Name, number | null>>) => string {
  const start = `${url.replace(/[?#].*/s, '')}?`
  const others = splitQuery(queryString(url))
    .filter(([name]) => !names.includes(name as Name))
    .map(([name, value]): QueryPair => [name, writePair(name, value)])
  return (numbers) => {
    const pairs = [...others]
    for (const name of names)
      if (numbers[name] !== null) pairs.push([name, `${name}=${numbers[name]}`])
    if (others.length > 0) pairs.sort(([a], [b]) => compareText(a, b))
    return start + pairs.map(([, written]) => written).join('&')
  }
}

function writePair(name: string, value: string): string {
  return writeQuery([[name, value]])
    .replaceAll('*', '%2A')
    .replaceAll('%7E', '~')
}

function startOfPage(count: number, { next, previous }: Links): string {
  const links = `"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)}`
  return `{"count":${count},${links},"results":[`
}
