import { choose, perSetting } from '../settings/per-setting.ts'
import type { SettingValues } from '../settings/setting.ts'
import type { Endpoint, Method } from './endpoint.ts'
import { Failure } from './failures.ts'
import { emptyBody } from './fields/body-fields.ts'
import type { PathMatch, PathParams } from './url.ts'

/** A path and its endpoints, as in OpenAPI. */
export interface PathItem {
  /** `/api/projects/:project_id/annotations/:id` */
  readonly path: string
  /** Those that are described. */
  readonly endpoints: PathEndpoints
  readonly options: Endpoint
  /** Answers every method that the path does not have. */
  readonly anyMethod: Endpoint
}

type PathEndpoints = readonly [Endpoint, ...Endpoint[]]

/** The path of a request, and the values of its parameters. */
export type FoundPath = Pick<PathMatch<PathItem>, 'item' | 'params'>

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
  paths.sort((a, b) => countParameters(a) - countParameters(b))
  return paths.map((path) => {
    const described = endpoints.filter((own) => own.path === path) as [Endpoint, ...Endpoint[]]
    return { path, endpoints: described, ...undocumentedEndpoints(described) }
  })
}

/** Resolves the endpoint of a path that answers a method under these settings. HEAD resolves to the endpoint of GET. */
export function resolveRoute(
  { item: pathItem, params }: FoundPath,
  method: string,
  settings: SettingValues,
): ResolvedRoute {
  const asked = method === 'HEAD' ? 'GET' : method
  const endpoint = pathItem.endpoints.find(
    (described) => described.method === asked && isEndpointEnabled(described, settings),
  )
  const other = method === 'OPTIONS' ? pathItem.options : pathItem.anyMethod
  return { endpoint: endpoint ?? other, pathItem, params }
}

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

function undocumentedEndpoints(endpoints: PathEndpoints): Pick<PathItem, 'options' | 'anyMethod'> {
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
      run(_, { request: { method } }, { settings }) {
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
