import { HttpHandler } from 'msw'
import { endpointSymbol, matchRequest, type RequestMatcher } from './endpoint-handler.ts'
import { toApiRequest, toResponse } from './fetch.ts'

type RunArgs = Parameters<HttpHandler['run']>[0]
type RunResult = ReturnType<HttpHandler['run']>
type ParseArgs = Parameters<HttpHandler['parse']>[0]
type ParseResult = ReturnType<HttpHandler['parse']>

/**
 * A door as a real MSW handler. MSW runs it like any other; it says no to other requests before MSW clones
 * or parses anything, which is what makes many handlers as quick as one.
 */
export class MswHandler extends HttpHandler {
  readonly door: RequestMatcher

  constructor(door: RequestMatcher) {
    const { method } = door.route.endpoint
    const { origin, prefix } = door.base
    super(
      method === '*' ? /.+/ : method,
      `${origin}${prefix}${door.path.pattern}`,
      async ({ request }) => (await this.run({ request, requestId: '' }))?.response as never,
    )
    this.door = door
  }

  static {
    const get = function (this: MswHandler): RequestMatcher {
      return this.door
    }
    Object.defineProperty(MswHandler.prototype, endpointSymbol, { get })
  }

  override async parse({ request }: ParseArgs): ParseResult {
    const meeting = matchRequest(this.door, request.method, request)
    return { match: { matches: meeting !== null, params: meeting?.params ?? {} }, cookies: {} }
  }

  /** As MSW's own, without the clone of the request that it makes and nobody reads: a body costs most there. */
  override async run({ request, requestId }: RunArgs): RunResult {
    const meeting = matchRequest(this.door, request.method, request)
    if (meeting === null) return null
    this.isUsed = true
    const call = await toApiRequest(request, meeting.bodyLimit)
    const response = toResponse(request, await meeting.handle(call))
    const parsedResult = { match: { matches: true, params: meeting.params }, cookies: {} }
    return { handler: this, request, requestId, response, parsedResult }
  }

  /** HEAD goes to the handler of GET. */
  override async predicate(args: Parameters<HttpHandler['predicate']>[0]): Promise<boolean> {
    return args.parsedResult.match.matches
  }
}

/** Doors as handlers. */
export function toMswHandlers(doors: readonly RequestMatcher[]): MswHandler[] {
  return withoutStacks(() => doors.map((door) => new MswHandler(door)))
}

/**
 * MSW looks up, by a stack, the line that each handler is made in. For ours that is always the same one, and looking it
 * up costs more than all the rest, most of all where a test runner maps stacks to sources.
 */
function withoutStacks<T>(make: () => T): T {
  // Only some engines have it.
  const engine: object & { stackTraceLimit?: number } = Error
  const { stackTraceLimit } = engine
  if (stackTraceLimit === undefined) return make()
  try {
    engine.stackTraceLimit = 0
    return make()
  } finally {
    engine.stackTraceLimit = stackTraceLimit
  }
}
