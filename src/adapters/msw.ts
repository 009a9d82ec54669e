import { HttpHandler } from 'msw'
import type { Base } from '../http/base.ts'
import type { Answer, Call, Head } from '../http/call.ts'
import type { Path, PathMatch } from '../http/path.ts'
import { isFor, paramsOf, type Route } from '../http/route.ts'
import type { Choose, Sandbox } from '../http/sandbox.ts'
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
  /** How it answers a request of its path; null where another handler does. */
  meet(method: string, found: PathMatch, head: Head): Meeting | null
}

/** A request and the handler that answers it. */
export interface Meeting {
  readonly params: Params
  /** The most bytes of a body. */
  readonly bodyLimit: number
  answer(call: Call): Answer | Promise<Answer>
}

/** The shorter way into a handler, where it is one of ours. */
export function doorOf(handler: object): EndpointDoor | null {
  return endpointMark in handler ? (handler as unknown as EndpointDoor) : null
}

/** As `meet`, for a whole request. */
export function meetingOf(door: EndpointDoor, method: string, head: Head): Meeting | null {
  const found = door.path.match(head.url)
  return found && door.meet(method, found, head)
}

/** How the endpoints of a service are answered. */
export interface Service<W, S extends Sandbox<W>> {
  readonly choose: Choose<S>
  readonly answer: (
    route: Route<W>,
    params: Params,
    call: Call,
    sandbox: S,
  ) => Answer | Promise<Answer>
  /** Whether a body is worth reading: not for who will be refused anyway. */
  readonly isLetIn?: (method: string, head: Head) => boolean
}

/**
 * A route as a real MSW handler. MSW runs it like any other; it says no to other requests before MSW clones
 * or parses anything, which is what makes many handlers as quick as one.
 */
export class EndpointHandler<W, S extends Sandbox<W>> extends HttpHandler implements EndpointDoor {
  readonly route: Route<W>
  readonly #service: Service<W, S>

  constructor(route: Route<W>, { origin, prefix }: Base, service: Service<W, S>) {
    const { method } = route.endpoint
    super(
      method === '*' ? /.+/ : method,
      `${origin}${prefix}${route.path.pattern}`,
      async ({ request }) => (await this.run({ request, requestId: '' }))?.response as never,
    )
    this.route = route
    this.#service = service
  }

  static {
    Object.defineProperty(EndpointHandler.prototype, endpointMark, { value: true })
  }

  get path(): Path {
    return this.route.path
  }

  meet(method: string, found: PathMatch, head: Head): Meeting | null {
    const { route } = this
    if (!isFor(route.endpoint, method)) return null
    const sandbox = this.#service.choose(found.sandbox, head)
    const params = sandbox && paramsOf(route, method, found, sandbox.settings)
    if (!params) return null
    const isLetIn = this.#service.isLetIn?.(method, head) ?? true
    const limit = route.endpoint.bodyLimit ?? sandbox.settings['limits.body']
    return new SandboxMeeting(params, isLetIn ? limit : 0, sandbox, this)
  }

  answer(params: Params, call: Call, sandbox: S): Answer | Promise<Answer> {
    return this.#service.answer(this.route, params, call, sandbox)
  }

  override async parse({ request }: ParseArgs): ParseResult {
    const meeting = meetingOf(this, request.method, request)
    return { match: { matches: meeting !== null, params: meeting?.params ?? {} }, cookies: {} }
  }

  /** As MSW's own, without the clone of the request that it makes and nobody reads: a body costs most there. */
  override async run({ request, requestId }: RunArgs): RunResult {
    const meeting = meetingOf(this, request.method, request)
    if (meeting === null) return null
    this.isUsed = true
    const call = await toCall(request, meeting.bodyLimit)
    const response = toResponse(request, await meeting.answer(call))
    const parsedResult = { match: { matches: true, params: meeting.params }, cookies: {} }
    return { handler: this, request, requestId, response, parsedResult }
  }

  /** HEAD goes to the handler of GET. */
  override async predicate(args: Parameters<HttpHandler['predicate']>[0]): Promise<boolean> {
    return args.parsedResult.match.matches
  }
}

/** A request, and the sandbox that it is answered from. */
class SandboxMeeting<W, S extends Sandbox<W>> implements Meeting {
  readonly params: Params
  readonly bodyLimit: number
  readonly #sandbox: S
  readonly #handler: EndpointHandler<W, S>

  constructor(params: Params, bodyLimit: number, sandbox: S, handler: EndpointHandler<W, S>) {
    this.params = params
    this.bodyLimit = bodyLimit
    this.#sandbox = sandbox
    this.#handler = handler
  }

  answer(call: Call): Answer | Promise<Answer> {
    return this.#handler.answer(this.params, call, this.#sandbox)
  }
}
