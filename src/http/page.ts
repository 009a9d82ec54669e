import { JsonPage, type JsonText, type Slice } from '../utils/json-text.ts'
import { anyText, integer, listOf, nullableShape, objectOf, type Shape } from './fields/shape.ts'
import { queryString, withQuery } from './url.ts'

/** The pagination envelope of list operations (the document, Pagination envelope). */
export interface Page<T> {
  /** Total number of results, on all pages */
  count: number
  /** Absolute address of the next page; null on the last one */
  next: string | null
  /** Absolute address of the previous page; null on the first one */
  previous: string | null
  results: T[]
}

/** The shape of a page of rows of a shape. */
export function pageShape<T>(row: Shape<T>): Shape<Page<T>> {
  return objectOf({
    count: integer,
    next: nullableShape(anyText),
    previous: nullableShape(anyText),
    results: listOf(row),
  })
}

/** Where in a list a page begins, and how long it is at most. */
export interface LimitOffset {
  readonly limit: number
  readonly offset: number
}

/** The envelope around a slice, with links to the pages beside it (observed §3). */
export function toJsonPage<T>(
  slice: Slice<T>,
  url: string,
  window: LimitOffset,
): JsonText<Page<T>> {
  if (slice.lastPage?.url !== url)
    slice.lastPage = { url, page: createJsonPage(slice, url, window) }
  return slice.lastPage.page as JsonPage<Page<T>>
}

function createJsonPage<T>(
  slice: Slice<T>,
  url: string,
  { limit, offset }: LimitOffset,
): JsonPage<Page<T>> {
  const next = offset + limit < slice.count ? pageLink(url, limit, offset + limit) : null
  const previous = offset > 0 ? pageLink(url, limit, offset - limit) : null
  const head = `{"count":${slice.count},"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)},"results":`
  return new JsonPage({ head, rows: slice.rows, tail: '}' })
}

/**
 * The address asked for, at another offset: the limit that took effect is always written, an offset at or
 * before the start is dropped, every other parameter is kept, and all are sorted by name.
 */
function pageLink(url: string, limit: number, offset: number): string {
  const query = new URLSearchParams(queryString(url))
  query.set('limit', String(limit))
  if (offset > 0) query.set('offset', String(offset))
  else query.delete('offset')
  return withQuery(url, query)
}
