import { HttpHandler, http } from 'msw'
import { answer } from '../http/answer.ts'
import type { Answer, Call } from '../http/call.ts'
import type { Base, Path } from '../http/path.ts'
import { type Family, matchRoute, type Route, toRoutes } from '../http/route.ts'
import type { Sandbox } from '../http/sandbox.ts'
import { toCall, toResponse } from './fetch.ts'

type RunArgs = Parameters<HttpHandler['run']>[0]
type RunResult = ReturnType<HttpHandler['run']>
type ParseArgs = Parameters<HttpHandler['parse']>[0]
type ParseResult = ReturnType<HttpHandler['parse']>
type Params = Readonly<Record<string, string>>

/** Marks our handlers for those who know a shorter way than `run`; a symbol, since the code may be there twice. */
const endpointMark = Symbol.for('understudy-api/endpoint')

/** What a marked handler offers besides MSW's own door: the same answer, without fetch objects. */
export interface EndpointDoor {
  /** The path it has in common with the other methods of that path. */
  readonly path: Path
  /** The parameters of the path when this handler answers such a request, else null. */
  match(method: string, url: string): Params | null
  answer(params: Params, call: Call): Answer | Promise<Answer>
  /** The most bytes of a body. */
  readonly bodyLimit: number
}

/** The shorter way into a handler, where it is one of ours. */
export function doorOf(handler: object): EndpointDoor | null {
  return endpointMark in handler ? (handler as unknown as EndpointDoor) : null
}

/**
 * A route as a real MSW handler. MSW runs it like any other; it says no to other requests before MSW clones
 * or parses anything, which is what makes many handlers as quick as one.
 */
export class EndpointHandler<W> extends HttpHandler implements EndpointDoor {
  readonly route: Route<W>
  readonly #sandbox: () => Sandbox<W>
  readonly #answer: typeof answer<W>

  constructor(
    route: Route<W>,
    { origin, prefix }: Base,
    sandbox: () => Sandbox<W>,
    answerWith: typeof answer<W> = answer,
  ) {
    const { method } = route.endpoint
    super(
      method === '*' ? /.+/ : method,
      `${origin}${prefix}${route.path.pattern}`,
      ({ request, params }) => this.#respond(request, params as Params),
    )
    this.route = route
    this.#sandbox = sandbox
    this.#answer = answerWith
  }

  static {
    Object.defineProperty(EndpointHandler.prototype, endpointMark, { value: true })
  }

  get path(): Path {
    return this.route.path
  }

  get bodyLimit(): number {
    return this.route.endpoint.bodyLimit ?? this.#sandbox().settings['limits.body']
  }

  match(method: string, url: string): Params | null {
    return matchRoute(this.route, method, url, this.#sandbox().settings)
  }

  answer(params: Params, call: Call): Answer | Promise<Answer> {
    return this.#answer(this.route, params, call, this.#sandbox())
  }

  override async parse({ request }: ParseArgs): ParseResult {
    const params = this.match(request.method, request.url)
    return { match: { matches: params !== null, params: params ?? {} }, cookies: {} }
  }

  /** As MSW's own, without the clone of the request that it makes and nobody reads: a body costs most there. */
  override async run({ request, requestId }: RunArgs): RunResult {
    const params = this.match(request.method, request.url)
    if (params === null) return null
    this.isUsed = true
    const response = await this.#respond(request, params)
    const parsedResult = { match: { matches: true, params }, cookies: {} }
    return { handler: this, request, requestId, response, parsedResult }
  }

  async #respond(request: Request, params: Params): Promise<Response> {
    const call = await toCall(request, this.bodyLimit)
    return toResponse(request.method, await this.answer(params, call))
  }

  /** HEAD goes to the handler of GET. */
  override async predicate(args: Parameters<HttpHandler['predicate']>[0]): Promise<boolean> {
    return args.parsedResult.match.matches
  }
}

/**
 * The endpoints of a service as handlers. With a base of its own every path below `/api` is its too, described
 * or not.
 */
export function toHandlers<W>(
  families: readonly Family<W>[],
  base: Base,
  sandbox: Sandbox<W>,
  notFound: (method: string, path: string) => Answer,
): HttpHandler[] {
  const handlers = toRoutes(families, base).map(
    (route) => new EndpointHandler(route, base, () => sandbox),
  )
  return base.origin === '*' ? handlers : [...handlers, notFoundHandler(base, notFound)]
}

function notFoundHandler(
  { origin, prefix }: Base,
  answerTo: (method: string, path: string) => Answer,
): HttpHandler {
  return http.all(`${origin}${prefix}/api/*`, ({ request }) =>
    toResponse(request.method, answerTo(request.method, new URL(request.url).pathname)),
  )
}
