import type { ApiRequest, ApiResponse, RequestHead } from './messages.ts'
import { type BaseUrl, compilePaths, type FindPath, type PathMatch } from './url.ts'

/** Handles the requests of one path, without an object of fetch or of MSW. */
export interface ApiHandler {
  /** The same object for the handlers of one simulator. */
  readonly base: BaseUrl
  /** `/api/projects/:project_id/annotations/:id` */
  readonly path: string
  /** The methods that are described, such as GET */
  readonly methods: readonly string[]
  /** Finds the URLs of a handler of other paths than its own. */
  readonly find?: FindPath<ApiHandler>
  /** Finds the world of a request with the path. Returns null for one of another world */
  open(path: PathMatch<ApiHandler>, head: RequestHead): RequestMatch | null
}

/** A request whose path and world are known, before its body is read. */
export interface RequestMatch {
  /** The largest body to read, in bytes. */
  readonly bodyLimit: number
  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse>
}

/** Finds what handles a request. @param url absolute, or a path with a query */
export type MatchRequest = (url: string, head: RequestHead) => RequestMatch | null

/** Compiles handlers in order. The paths of a simulator become one table, so that no list of them is searched. */
export function compileHandlers(handlers: readonly ApiHandler[]): MatchRequest {
  const finders = groupByBase(handlers).map(
    (group) => group[0].find ?? compilePaths(group, group[0].base),
  )
  return (url, head) => {
    for (const find of finders) {
      const path = find(url)
      const match = path?.item.open(path, head)
      if (match) return match
    }
    return null
  }
}

type Group = [ApiHandler, ...ApiHandler[]]

function groupByBase(handlers: readonly ApiHandler[]): Group[] {
  const groups: Group[] = []
  for (const handler of handlers) {
    const last = groups.at(-1)
    if (last && last[0].base === handler.base && !last[0].find && !handler.find) last.push(handler)
    else groups.push([handler])
  }
  return groups
}

/**
 * Marks the MSW handlers of this package, so that a server can leave out the objects of fetch. A registered symbol, because
 * the bin and the library are two copies of this module.
 */
export const apiHandlerSymbol = Symbol.for('understudy-api/handler')

/** The API handler behind an MSW handler of this package, or undefined for any other handler of MSW. */
export function toApiHandler(handler: object): ApiHandler | undefined {
  return Reflect.get(handler, apiHandlerSymbol) as ApiHandler | undefined
}
