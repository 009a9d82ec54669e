import { type QueryPair, splitQuery, writeQuery } from '../utils/query.ts'

/** Where a request goes, in forms that can be compared. */
export class Address {
  /** The path from `/api` on, without a final slash */
  readonly path: string
  readonly #search: string
  #query: ReadonlyMap<string, string> | undefined
  #whole: string | undefined

  /** @param target a path with its query, or an absolute URL */
  constructor(target: string) {
    const end = target.indexOf('?')
    const path = end < 0 ? target : target.slice(0, end)
    this.path = path.slice(Math.max(0, path.search(/\/api(\/|$)/))).replace(/\/$/, '')
    this.#search = end < 0 ? '' : target.slice(end + 1)
  }

  /** The last value of each parameter */
  get query(): ReadonlyMap<string, string> {
    this.#query ??= new Map(splitQuery(this.#search.replace(/#.*/s, '')))
    return this.#query
  }

  /** The path and the query, in which parameters are in order */
  get whole(): string {
    this.#whole ??= `${this.path}?${isInOrder.test(this.#search) ? this.#search : this.#sorted}`
    return this.#whole
  }

  get #sorted(): string {
    return writeQuery([...this.query].sort(([a]: QueryPair, [b]: QueryPair) => (a < b ? -1 : 1)))
  }
}

/** Most queries, and the links of pages, have nothing to sort. */
const isInOrder = /^(?:limit=\d+)?(?:(?:^|&)offset=\d+)?$/
