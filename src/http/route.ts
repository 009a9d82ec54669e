import { choose, perSetting } from '../settings/per-setting.ts'
import type { SettingValues } from '../settings/setting.ts'
import type { ApiContext, Endpoint, EndpointContext, Method } from './endpoint.ts'
import { Failure } from './failures.ts'
import { emptyBody } from './fields/body-fields.ts'
import type { ApiRequest, ApiResponse, RequestHead } from './messages.ts'
import { type BaseUrl, compilePath, type PathMatch, type PathParams } from './url.ts'

/** A path and its endpoints, as in OpenAPI. */
export interface PathItem {
  /** `/api/projects/:project_id/annotations/:id` */
  readonly path: string
  readonly endpoints: PathEndpoints
  /** The described endpoints, OPTIONS, and the endpoint for every other method. */
  readonly allEndpoints: readonly Endpoint[]
}

export interface ResolvedRoute {
  readonly endpoint: Endpoint
  readonly pathItem: PathItem
  readonly params: PathParams
}

/**
 * Groups the endpoints of a resource by path. Each path gets OPTIONS and an endpoint for the methods that it does not
 * have. A URL has the first path that it matches: those with fewer parameters come first, since `unused` is no id.
 */
export function createPathItems(endpoints: readonly Endpoint[]): PathItem[] {
  const countParameters = (path: string): number => path.split('/:').length
  const paths = [...new Set(endpoints.map(({ path }) => path))]
  paths.sort((one, other) => countParameters(one) - countParameters(other))
  return paths.map((path) => {
    const described = endpoints.filter((each) => each.path === path) as [Endpoint, ...Endpoint[]]
    const allEndpoints = [...described, ...undocumentedEndpoints(described)]
    return { path, endpoints: described, allEndpoints }
  })
}

/** Resolves the endpoint of a path that answers a method under these settings. HEAD resolves to the endpoint of GET. */
export function resolveRoute(
  pathItem: PathItem,
  method: string,
  { params, suffix }: Pick<PathMatch, 'params' | 'suffix'>,
  settings: SettingValues,
): ResolvedRoute {
  const endpoint = pathItem.allEndpoints.find(
    (each) => servesMethod(each, method) && isEndpointEnabled(each, settings),
  ) as Endpoint
  return {
    endpoint,
    pathItem,
    params: suffix === undefined ? params : { ...params, format: suffix },
  }
}

/** Whether an endpoint can serve a method. `*` stands last in a path, so it gets only what the others leave. */
function servesMethod({ method }: Endpoint, requested: string): boolean {
  return method === requested || method === '*' || (method === 'GET' && requested === 'HEAD')
}

type PathEndpoints = readonly [Endpoint, ...Endpoint[]]

/** The order in which the live service lists methods. */
const methodOrder: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Returns the header `Allow`: all methods of a path, or, by the setting `headers.allow`, only those that can succeed. */
export function allowHeader(endpoints: PathEndpoints, settings: SettingValues): string {
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

export function isEndpointEnabled(endpoint: Endpoint, settings: SettingValues): boolean {
  return endpoint.enabled === undefined || choose(endpoint.enabled, settings)
}

/** Creates the endpoints that a path has besides its documented ones: OPTIONS, and a 405 for every other method. */
function undocumentedEndpoints(endpoints: PathEndpoints): Endpoint[] {
  const otherMethods = (settings: SettingValues) =>
    endpoints
      .filter((each) => isEndpointEnabled(each, settings))
      .filter((each) => choose(each.status, settings) < 400)
      .map(({ method }) => method)
      .join(', ')
  const notAllowed = {
    ...sharedFields(endpoints[0]),
    summary: 'Reject a method that the path does not have.',
    status: 405,
    response: emptyBody,
    handle({ method }: { readonly method: string }, { settings }: ApiContext): never {
      throw methodNotAllowed(method, () => otherMethods(settings))
    },
  }
  const anyMethod: Endpoint = {
    ...notAllowed,
    operation: null,
    method: '*',
    otherMethods,
    scope: perSetting('methods.undocumented', {
      '405': 'any_key',
      refused_to_scoped_keys: 'refused',
    }),
  }
  const options: Endpoint = {
    ...sharedFields(endpoints[0]),
    operation: null,
    summary: 'Name the methods of the path, in the header Allow.',
    method: 'OPTIONS',
    scope: 'any_key',
    status: 200,
    response: emptyBody,
    handle: () => undefined,
  }
  return [options, anyMethod]
}

/** @param otherMethods returns the methods of the path, if it has any */
export function methodNotAllowed(method: string, otherMethods?: () => string): Failure {
  const reason = otherMethods && (() => `this path has no ${method}, only ${otherMethods()}`)
  return new Failure('method_not_allowed', `Method "${method}" not allowed.`, { reason })
}

/** Parameters are left out: the method is checked before the row, so no id is parsed. */
function sharedFields({
  path,
  checkPermission,
}: Endpoint): Pick<Endpoint, 'path' | 'params' | 'checkPermission' | 'errors'> {
  return { path, params: {}, errors: [], ...(checkPermission && { checkPermission }) }
}

/** Handles the requests of one path. MSW, Express and `simulator.fetch` convert their requests and call it. */
export interface ApiHandler {
  readonly base: BaseUrl
  /** The path, as MSW and error messages print it */
  readonly pattern: string
  /** The methods that are described, such as GET */
  readonly methods: readonly string[]
  /** Returns null if the path or the method belongs to another handler. @param url absolute, or a path with a query */
  match(method: string, url: string, head: RequestHead): RequestMatch | null
}

/** A request whose endpoint and sandbox are known, before its body is read. */
export interface RequestMatch {
  /** The largest body to read, in bytes. */
  readonly bodyLimit: number
  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse>
}

/**
 * Marks the MSW handlers of this package, so that the Express adapter can skip MSW. A registered symbol, because the
 * bin and the library are two copies of this module.
 */
export const apiHandlerSymbol = Symbol.for('understudy-api/handler')

/** The API handler behind an MSW handler of this package, or null for any other handler. */
export function toApiHandler(handler: object): ApiHandler | null {
  if ('match' in handler) return handler as ApiHandler
  return (Reflect.get(handler, apiHandlerSymbol) as ApiHandler | undefined) ?? null
}

/**
 * Creates the handlers of some paths.
 *
 * @param resolve finds the world of a request: by the sandbox id in the URL, else by the key. Undefined for an unknown id
 * @param run answers a request, whose body has been read since it arrived
 */
export function createEndpointHandlers<C extends EndpointContext & { readonly arrival: number }>(
  pathItems: readonly PathItem[],
  base: BaseUrl,
  resolve: (sandboxId: string | undefined, head: RequestHead) => C | undefined,
  run: (
    route: ResolvedRoute,
    request: ApiRequest,
    context: C,
    arrival: number,
  ) => ReturnType<RequestMatch['handle']>,
): ApiHandler[] {
  return pathItems.map((pathItem): ApiHandler => {
    const matchPath = compilePath(pathItem.path, base)
    return {
      base,
      pattern: pathItem.path,
      methods: pathItem.endpoints.map(({ method }) => method),
      match(method, url, head) {
        const location = matchPath(url)
        if (location === null) return null
        const context = resolve(location.sandboxId, head)
        if (!context) return null
        const { arrival } = context
        const route = resolveRoute(pathItem, method, location, context.settings)
        return {
          bodyLimit: context.settings['limits.body'],
          handle: (request) => run(route, request, context, arrival),
        }
      },
    }
  })
}
