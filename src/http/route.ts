import { choose, perSetting, type SettingValues } from '../settings/setting.ts'
import {
  type Endpoint,
  isEndpointEnabled,
  type Method,
  type PathItem,
  type RequestMatch,
} from './endpoint.ts'
import { Failure } from './failures.ts'
import { emptyBody } from './fields/body-fields.ts'
import type { RequestHead } from './messages.ts'
import { type BaseUrl, compilePaths, type FindPath, type PathMatch } from './url.ts'

/**
 * Groups the endpoints of a resource by path. Each path gets OPTIONS and an endpoint for the methods that it does not
 * have. A URL has the first path that it matches: those with fewer parameters come first, since `unused` is no id.
 */
export function createPathItems(endpoints: readonly Endpoint[]): PathItem[] {
  const countParameters = (path: string): number => path.split('/:').length
  const paths = [...new Set(endpoints.map(({ path }) => path))]
  paths.sort((a, b) => countParameters(a) - countParameters(b))
  return paths.map((path) => {
    const described = endpoints.filter((own) => own.path === path) as [Endpoint, ...Endpoint[]]
    return { path, endpoints: described, ...undocumentedEndpoints(described) }
  })
}

/** The order in which the live service lists methods. */
const methodOrder: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Returns the header `Allow`: all methods of a path, or, by the setting `headers.allow`, only those that can succeed. */
export function allowHeader(endpoints: PathItem['endpoints'], settings: SettingValues): string {
  const includeFailing = settings['headers.allow'] === 'every_answer'
  const methods = methodOrder.filter((method) =>
    endpoints.some(
      (endpoint) =>
        endpoint.method === method &&
        isEndpointEnabled(endpoint, settings) &&
        (includeFailing || choose(endpoint.status, settings) < 400),
    ),
  )
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

function undocumentedEndpoints(
  endpoints: PathItem['endpoints'],
): Pick<PathItem, 'options' | 'anyMethod'> {
  const [{ path, checkPermission }] = endpoints
  const shared = {
    path,
    // The method is checked before the row, so no id is parsed.
    params: {},
    errors: [],
    response: emptyBody,
    ...(checkPermission && { checkPermission }),
  }
  const otherMethods = (settings: SettingValues) =>
    endpoints
      .filter((endpoint) => isEndpointEnabled(endpoint, settings))
      .filter(({ status }) => choose(status, settings) < 400)
      .map(({ method }) => method)
      .join(', ')
  return {
    options: {
      ...shared,
      operation: null,
      summary: 'Name the methods of the path, in the header Allow.',
      method: 'OPTIONS',
      scope: 'any_key',
      status: 200,
      run: () => undefined,
    },
    anyMethod: {
      ...shared,
      operation: null,
      summary: 'Reject a method that the path does not have.',
      method: '*',
      otherMethods,
      scope: perSetting('methods.undocumented', {
        '405': 'any_key',
        refused_to_scoped_keys: 'refused',
      }),
      status: 405,
      run({ request: { method }, settings }) {
        throw methodNotAllowed(method, () => otherMethods(settings))
      },
    },
  }
}

/** @param otherMethods returns the methods of the path, if it has any */
export function methodNotAllowed(method: string, otherMethods?: () => string): Failure {
  const reason = otherMethods && (() => `this path has no ${method}, only ${otherMethods()}`)
  return new Failure('method_not_allowed', `Method "${method}" not allowed.`, { reason })
}

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
