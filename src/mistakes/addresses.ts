import { LatestMap } from '../utils/latest-map.ts'
import { parseQuery, writeQuery } from '../utils/query.ts'

/** Where a request goes, in forms that can be compared. */
export interface Address {
  /** The path from `/api` on, without a final slash */
  readonly path: string
  /** The last value of each parameter */
  readonly query: ReadonlyMap<string, string>
  /** The path and the query */
  readonly whole: string
  /** The path and the search, which decide which rows a list has */
  readonly ofList: string
}

/** The addresses of paths with their queries. The latest ones are remembered: the link of a page is soon requested. */
export class Addresses {
  readonly #known = new LatestMap<string, Address>()

  /** @param target a path with its query, or an absolute URL */
  of(target: string): Address {
    const start = target.indexOf('?')
    if (start < 0) {
      const path = toPath(target)
      return { path, query: none, whole: `${path}?`, ofList: `${path}?` }
    }
    const known = this.#known.get(target)
    if (known) return known
    const [path, search] = [toPath(target.slice(0, start)), target.slice(start + 1)]
    const query = new Map(parseQuery(search.replace(/#.*/s, '')))
    const whole = `${path}?${sortQuery([...query])}`
    const address = { path, query, whole, ofList: `${path}?${query.get('search') ?? ''}` }
    this.#known.set(target, address)
    return address
  }
}

const none: ReadonlyMap<string, string> = new Map()

function toPath(path: string): string {
  return path.slice(Math.max(0, path.search(/\/api(\/|$)/))).replace(/\/$/, '')
}

/** Sorts parameters, so that queries with equal parameters are equal. */
function sortQuery(parameters: [string, string][]): string {
  const query = new URLSearchParams(parameters)
  query.sort()
  return writeQuery(query)
}
