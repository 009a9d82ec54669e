import { HttpHandler, http } from 'msw'
import type { ApiRequest } from '../http/messages.ts'
import type { PathItem } from '../http/route.ts'
import { createTypoMatcher } from '../http/unknown-path.ts'
import { type BaseUrl, sandboxPrefix } from '../http/url.ts'
import { type ApiHandler, apiHandlerSymbol } from './endpoint-handler.ts'
import { type NotFound, toApiRequest, toResponse } from './fetch.ts'

type RunArgs = Parameters<HttpHandler['run']>[0]
type RunResult = ReturnType<HttpHandler['run']>
type ParseArgs = Parameters<HttpHandler['parse']>[0]
type ParseResult = ReturnType<HttpHandler['parse']>

/**
 * An API handler as a real MSW handler. It serves every method of one path. It rejects other requests before MSW clones
 * or parses them, so several handlers are as fast as one.
 */
export class MswHandler extends HttpHandler {
  readonly apiHandler: ApiHandler

  constructor(apiHandler: ApiHandler) {
    const { base, pattern, methods } = apiHandler
    const url = `${base.origin}${base.prefix}${pattern}`
    super(
      /.+/,
      url,
      async ({ request }) => (await this.run({ request, requestId: '' }))?.response as never,
    )
    this.info.header = `${methods.join(', ')} ${url}`
    this.apiHandler = apiHandler
  }

  static {
    const get = function (this: MswHandler): ApiHandler {
      return this.apiHandler
    }
    Object.defineProperty(MswHandler.prototype, apiHandlerSymbol, { get })
  }

  override async parse({ request }: ParseArgs): ParseResult {
    const match = this.apiHandler.match(request.method, request.url, request)
    return { match: { matches: match !== null, params: match?.params ?? {} }, cookies: {} }
  }

  /** Runs like MSW's own, but does not clone the request: cloning a body costs more than everything else. */
  override async run({ request, requestId }: RunArgs): RunResult {
    const match = this.apiHandler.match(request.method, request.url, request)
    if (match === null) return null
    this.isUsed = true
    const response = toResponse(
      request,
      await match.handle(await toApiRequest(request, match.bodyLimit)),
    )
    const parsedResult = { match: { matches: true, params: match.params }, cookies: {} }
    return { handler: this, request, requestId, response, parsedResult }
  }

  override async predicate(args: Parameters<HttpHandler['predicate']>[0]): Promise<boolean> {
    return args.parsedResult.match.matches
  }
}

export function toMswHandlers(handlers: readonly ApiHandler[]): MswHandler[] {
  return withoutStackTraces(() => handlers.map((handler) => new MswHandler(handler)))
}

/**
 * MSW captures a stack trace for each handler, to report where it was declared. Here it is always the same line, and
 * capturing it costs more than everything else, above all if a test runner maps stack traces to sources.
 */
function withoutStackTraces<T>(create: () => T): T {
  // Only V8 has this property.
  const errors: object & { stackTraceLimit?: number } = Error
  const { stackTraceLimit } = errors
  if (stackTraceLimit === undefined) return create()
  try {
    errors.stackTraceLimit = 0
    return create()
  } finally {
    errors.stackTraceLimit = stackTraceLimit
  }
}

/**
 * Creates the MSW handlers for unknown paths. With a base URL of its own the API owns every path below `/api`. On any
 * origin, other APIs can have paths there, so only misspelt paths of this API are handled.
 */
export function notFoundHandlers(
  pathItems: readonly PathItem<never>[],
  base: BaseUrl,
  notFound: NotFound,
): HttpHandler[] {
  const { origin, prefix } = base
  if (origin === '*') return toMswHandlers([createTypoHandler(pathItems, base, notFound)])
  return ['', `${sandboxPrefix}/:sandbox`].map((sandbox) =>
    http.all(`${origin}${prefix}${sandbox}/api/*`, ({ request }) =>
      toResponse(request, notFound(request.method, request)),
    ),
  )
}

function createTypoHandler(
  pathItems: readonly PathItem<never>[],
  base: BaseUrl,
  notFound: NotFound,
): ApiHandler {
  const path = createTypoMatcher(
    pathItems.map(({ pattern }) => pattern),
    base,
  )
  // The body is never read, so it can have any size.
  const match = {
    params: {},
    bodyLimit: 0,
    handle: (request: ApiRequest) => notFound(request.method, request),
  }
  return {
    base,
    pattern: path.pattern,
    methods: ['*'],
    match: (_method, url) => (path.match(url) ? match : null),
  }
}
