import { JsonPage, type JsonText, type Slice } from '../utils/json-text.ts'
import { anyText, integer, listOf, nullableShape, objectOf, type Shape } from './fields/shape.ts'
import { queryString, withQuery } from './url.ts'

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

/** The position of a page in a list. */
export interface LimitOffset {
  /** The largest number of rows on the page. */
  readonly limit: number
  /** The index of the first row. */
  readonly offset: number
}

/** Creates a page from a slice of a list, with links to the pages next to it. The last page of a slice is cached. */
export function toJsonPage<T>(
  slice: Slice<T>,
  url: string,
  position: LimitOffset,
): JsonText<Page<T>> {
  if (slice.lastPage?.url !== url) {
    slice.lastPage = { url, page: createJsonPage(slice, url, position) }
  }
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
 * Returns the URL of a request with another offset. It always contains the effective limit, it omits an offset of 0 or
 * less, and it keeps all other parameters, sorted by name. Seen by running Django REST Framework.
 */
function pageLink(url: string, limit: number, offset: number): string {
  const query = new URLSearchParams(queryString(url))
  query.set('limit', String(limit))
  if (offset > 0) query.set('offset', String(offset))
  else query.delete('offset')
  return withQuery(url, query)
}
