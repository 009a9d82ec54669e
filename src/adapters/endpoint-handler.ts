import type { BaseUrl } from '../http/base-url.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { ApiRequest, ApiResponse, RequestHead } from '../http/messages.ts'
import type { PathMatch, PathMatcher } from '../http/path.ts'
import { type EndpointRoute, handlesMethod, matchRoute, resolveRoute } from '../http/route.ts'
import type { EndpointContext, ResolveSandbox, ResolveSandboxByBody } from '../http/sandbox.ts'

type Params = Readonly<Record<string, string>>

/** Marks our handlers for those who know a shorter way than `run`; a symbol, since the code may be there twice. */
export const endpointSymbol: symbol = Symbol.for('understudy-api/endpoint')

/** An endpoint in its place, ready to answer: the same answer as by MSW's own door, without fetch objects. */
export interface RequestMatcher {
  readonly base: BaseUrl
  readonly route: { readonly endpoint: Pick<Endpoint<never>, 'id' | 'method'> }
  /** The path it has in common with the other methods of that path. */
  readonly path: PathMatcher
  /** How it answers a request of its path; null where another one does. */
  match(method: string, found: PathMatch, head: RequestHead): RequestMatch | null
}

/** A request and the endpoint that answers it. */
export interface RequestMatch {
  readonly params: Params
  /** The most bytes of a body. */
  readonly bodyLimit: number
  handle(call: ApiRequest): ApiResponse | Promise<ApiResponse>
}

/** The shorter way into a handler, where it is one of ours; a door is its own. */
export function toRequestMatcher(answering: object): RequestMatcher | null {
  if (answering instanceof EndpointHandler) return answering
  return (Reflect.get(answering, endpointSymbol) as RequestMatcher | undefined) ?? null
}

/** As `meet`, for a whole request. */
export function matchRequest(
  door: RequestMatcher,
  method: string,
  head: RequestHead,
): RequestMatch | null {
  const found = door.path.match(head.url)
  return found && door.match(method, found, head)
}

/** How the endpoints of a service are answered. */
export interface Service<W, S extends EndpointContext<W>> {
  readonly choose: ResolveSandbox<S>
  readonly settle?: ResolveSandboxByBody<S>
  readonly answer: (
    route: EndpointRoute<W>,
    params: Params,
    call: ApiRequest,
    sandbox: S,
  ) => ApiResponse | Promise<ApiResponse>
  /** Whether a body is worth reading: not for who will be refused anyway. */
  readonly isLetIn?: (method: string, head: RequestHead) => boolean
}

/** A route, and the service that answers it. */
export class EndpointHandler<W, S extends EndpointContext<W>> implements RequestMatcher {
  readonly route: EndpointRoute<W>
  readonly base: BaseUrl
  readonly #service: Service<W, S>

  constructor(route: EndpointRoute<W>, base: BaseUrl, service: Service<W, S>) {
    this.route = route
    this.base = base
    this.#service = service
  }

  get path(): PathMatcher {
    return this.route.path
  }

  match(method: string, found: PathMatch, head: RequestHead): RequestMatch | null {
    const { route } = this
    if (!handlesMethod(route.endpoint, method)) return null
    const sandbox = this.#service.choose(found.sandbox, head)
    const params = sandbox && matchRoute(route, method, found, sandbox.settings)
    if (!params) return null
    const isLetIn = this.#service.isLetIn?.(method, head) ?? true
    const limit = route.endpoint.bodyLimit ?? sandbox.settings['limits.body']
    return new SandboxMeeting(params, isLetIn ? limit : 0, { found, sandbox, door: this })
  }

  answer(params: Params, call: ApiRequest, met: Met<W, S>): ApiResponse | Promise<ApiResponse> {
    const service = this.#service
    const { found, sandbox } = met
    const settled = call.body === null ? sandbox : service.settle?.(found.sandbox, call, sandbox)
    if (settled === undefined || settled === sandbox) {
      return service.answer(this.route, params, call, sandbox)
    }
    if (!(settled instanceof Promise)) return this.#answerIn(settled, params, call, met)
    return settled.then((own) => this.#answerIn(own, params, call, met))
  }

  /** In another sandbox there may be other policies, and by them another endpoint on this path. */
  #answerIn(
    own: S,
    params: Params,
    call: ApiRequest,
    { found, sandbox }: Met<W, S>,
  ): ApiResponse | Promise<ApiResponse> {
    const led = own === sandbox ? null : resolveRoute(own.settings, this.route, call.method, found)
    if (!led) return this.#service.answer(this.route, params, call, sandbox)
    return this.#service.answer(led.route, led.params, call, own)
  }
}

/** What a request was met with. */
interface Met<W, S extends EndpointContext<W>> {
  readonly found: PathMatch
  readonly sandbox: S
  readonly door: EndpointHandler<W, S>
}

/** A request, and the sandbox that it is answered from. */
class SandboxMeeting<W, S extends EndpointContext<W>> implements RequestMatch {
  readonly params: Params
  readonly bodyLimit: number
  readonly #met: Met<W, S>

  constructor(params: Params, bodyLimit: number, met: Met<W, S>) {
    this.params = params
    this.bodyLimit = bodyLimit
    this.#met = met
  }

  handle(call: ApiRequest): ApiResponse | Promise<ApiResponse> {
    return this.#met.door.answer(this.params, call, this.#met)
  }
}
