import type { JsonSchema } from '../../http/fields/body-fields.ts'
import { queryString, withQuery } from '../../http/url.ts'
import { isObject } from '../../utils/json.ts'
import { isPage, isRecord, mapFields, rowShapeOf } from './response-fields.ts'
import type { MutantKind } from './rule.ts'

/** Reads a page with other parameters, in the same moment. */
export type ReadPage = (query: URLSearchParams) => unknown

/** Changes a body as a whole. A change that has no effect returns the same body. */
interface BodyMutant {
  readonly canChange: (shape: JsonSchema) => boolean
  /** Whether it reads the list by limit and offset */
  readonly needsOffset?: boolean
  /**
   * @param url the absolute URL of the request
   * @param read by default returns the body, to find out whether there is a change
   */
  readonly change: (body: unknown, shape: JsonSchema, url: string, read: ReadPage) => unknown
}

interface PageBody {
  readonly count: number
  readonly next: string | null
  readonly results: readonly unknown[]
}

/** Marks the requests that followed a mutated link. The service ignores unknown parameters, and its links keep them. */
const marker = 'cursor'

/** The rows of a page that is smaller than the limit, as of a service with a low maximum. */
const shortPage = 2

/** A limit above each maximum that was ever heard of is a wish for all rows. */
const wishForAll = 100

export const bodyMutants: Partial<Record<MutantKind, BodyMutant>> = {
  empty_page: pageMutant((page, query, url) => {
    if (query.has(marker) || page.results.length === 0) return page
    query.set(marker, '1')
    return { ...page, next: withQuery(url, query), results: [] }
  }),
  short_page: listMutant((page, query, _url, read) => {
    if (numberOf(query, 'limit') <= wishForAll || page.results.length <= shortPage) return page
    query.set('limit', String(shortPage))
    return { ...(read(query) as PageBody) }
  }),
  row_order: listMutant((page, query, _url, read) => {
    const { count, results } = page
    if (count < 2 || results.length === 0) return page
    const offset = numberOf(query, 'offset')
    query.set('offset', String(Math.max(0, count - offset - results.length)))
    query.set('limit', String(results.length))
    return { ...page, results: [...(read(query) as PageBody).results].reverse() }
  }),
  repeated_row: listMutant((page, query, url, read) => {
    const offset = numberOf(query, 'offset')
    if (offset === 0) return page
    query.set('offset', String(offset - 1))
    const { results } = read(query) as PageBody
    if (results.length === 0) return page
    const count = page.count + 1
    const end = offset + results.length
    query.set('offset', String(end))
    const next = page.next ?? (end < count ? withQuery(url, query) : null)
    return { ...page, count, next, results }
  }),
  next_parameters: {
    canChange: isPage,
    change(body) {
      if (!isObject(body) || typeof body.next !== 'string') return body
      const query = new URLSearchParams(queryString(body.next))
      query.set(marker, '1')
      // The last value of a repeated parameter counts, so its values keep their order.
      const pairs = [...query].sort(([one], [other]) => (one < other ? 1 : one > other ? -1 : 0))
      return { ...body, next: body.next.replace(/\?.*/s, `?${new URLSearchParams(pairs)}`) }
    },
  },
  key_order: {
    canChange: (shape) => rowShapeOf(shape) !== undefined,
    change(body, shape) {
      const reversed = mapFields(body, shape, (value, field) =>
        isRecord(field) ? reverseFields(value) : value,
      )
      return isPage(shape) ? reverseFields(reversed) : reversed
    },
  },
}

/** A mutant of pages. */
function pageMutant(
  change: (page: PageBody, query: URLSearchParams, url: string, read: ReadPage) => unknown,
): BodyMutant {
  return {
    canChange: isPage,
    change(body, _shape, url, read) {
      if (!isObject(body) || !Array.isArray(body.results)) return body
      const query = new URLSearchParams(queryString(url))
      return change(body as object as PageBody, query, url, read)
    },
  }
}

/** A mutant of pages that are selected by limit and offset. */
function listMutant(change: Parameters<typeof pageMutant>[0]): BodyMutant {
  return { ...pageMutant(change), needsOffset: true }
}

/** The last value of a parameter counts. Any other text than a number counts as none. */
function numberOf(query: URLSearchParams, name: string): number {
  return Number(query.getAll(name).at(-1)) || 0
}

function reverseFields(value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).reverse()) : value
}
