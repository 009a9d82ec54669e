import type { EndpointContext, SandboxResolver } from '../http/endpoint.ts'
import type { ApiRequest, ApiResponse, RequestHead } from '../http/messages.ts'
import { type PathItem, type ResolvedRoute, resolveRoute } from '../http/route.ts'
import {
  type BaseUrl,
  createPathMatcher,
  type PathMatch,
  type PathMatcher,
  type PathParams,
} from '../http/url.ts'

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
  readonly params: PathParams
  /** The largest body to read, in bytes. */
  readonly bodyLimit: number
  /** Whether the body is not read, because the endpoint reads `stream` of the request. */
  readonly streamsBody?: boolean
  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse>
}

/**
 * Marks the MSW handlers of this package, so that the Express adapter can skip MSW. A registered symbol, because the
 * bin and the library are two copies of this module.
 */
export const apiHandlerSymbol: unique symbol = Symbol.for('understudy-api/handler') as never

/** The API handler behind an MSW handler of this package, or null for any other handler. */
export function toApiHandler(handler: object): ApiHandler | null {
  if (handler instanceof EndpointHandler) return handler
  return (Reflect.get(handler, apiHandlerSymbol) as ApiHandler | undefined) ?? null
}

/** A request of an endpoint, in the sandbox that its URL or its header names. */
export interface EndpointMatch<W> extends RequestMatch {
  readonly route: ResolvedRoute<W>
}

export interface EndpointRunner<W, C extends EndpointContext<W>> {
  readonly resolver: SandboxResolver<C>
  run(route: ResolvedRoute<W>, request: ApiRequest, context: C): ApiResponse | Promise<ApiResponse>
  /** Returns false if the request will be refused anyway, so that its body is not read. */
  acceptsBody?(method: string, head: RequestHead): boolean
}

export class EndpointHandler<W, C extends EndpointContext<W>> implements ApiHandler {
  readonly base: BaseUrl
  readonly pathItem: PathItem<W>
  readonly #path: PathMatcher
  readonly #runner: EndpointRunner<W, C>

  constructor(
    pathItem: PathItem<W>,
    base: BaseUrl,
    runner: EndpointRunner<W, C>,
    path: PathMatcher = createPathMatcher(pathItem.pattern, base),
  ) {
    this.base = base
    this.pathItem = pathItem
    this.#runner = runner
    this.#path = path
  }

  get pattern(): string {
    return this.#path.pattern
  }

  get methods(): string[] {
    return this.pathItem.endpoints.map(({ method }) => method)
  }

  match(method: string, url: string, head: RequestHead): EndpointMatch<W> | null {
    const location = this.#path.match(url)
    if (location === null) return null
    const context = this.#runner.resolver.resolve(location.sandboxId, head)
    const route = context && resolveRoute(this.pathItem, method, location, context.settings)
    if (!route) return null
    const acceptsBody = this.#runner.acceptsBody?.(method, head) ?? true
    const limit = route.endpoint.bodyLimit ?? context.settings['limits.body']
    return new MatchedEndpoint(this, route, context, location, acceptsBody ? limit : 0)
  }

  /** Handles a matched request in its sandbox, or in the one that a key in its body selects. */
  handle(
    request: ApiRequest,
    route: ResolvedRoute<W>,
    context: C,
    location: PathMatch,
  ): ApiResponse | Promise<ApiResponse> {
    const { resolver } = this.#runner
    if (request.body === null || !resolver.resolveByBody) {
      return this.#runner.run(route, request, context)
    }
    const run = (resolved: C) => {
      if (resolved === context) return this.#runner.run(route, request, context)
      // Other policies can select another endpoint of this path, or none: then the first sandbox answers.
      const other = resolveRoute(this.pathItem, request.method, location, resolved.settings)
      return this.#runner.run(other ?? route, request, other ? resolved : context)
    }
    const resolved = resolver.resolveByBody(location.sandboxId, request, context)
    return resolved instanceof Promise ? resolved.then(run) : run(resolved)
  }
}

/** A class, since it is created per request and takes less memory than an object with a closure. */
class MatchedEndpoint<W, C extends EndpointContext<W>> implements EndpointMatch<W> {
  readonly #handler: EndpointHandler<W, C>
  readonly route: ResolvedRoute<W>
  readonly #context: C
  readonly #location: PathMatch
  readonly bodyLimit: number

  constructor(
    handler: EndpointHandler<W, C>,
    route: ResolvedRoute<W>,
    context: C,
    location: PathMatch,
    bodyLimit: number,
  ) {
    this.#handler = handler
    this.route = route
    this.#context = context
    this.#location = location
    this.bodyLimit = bodyLimit
  }

  get params(): PathParams {
    return this.route.params
  }

  get streamsBody(): boolean {
    return this.route.endpoint.streamsBody === true && this.bodyLimit > 0
  }

  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    return this.#handler.handle(request, this.route, this.#context, this.#location)
  }
}

export function createEndpointHandlers<W, C extends EndpointContext<W>>(
  pathItems: readonly PathItem<W>[],
  base: BaseUrl,
  runner: EndpointRunner<W, C>,
): EndpointHandler<W, C>[] {
  return pathItems.map((pathItem) => new EndpointHandler(pathItem, base, runner))
}
