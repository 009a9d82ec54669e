import { HttpHandler, http, type RequestHandler } from 'msw'
import {
  type ApiRequest,
  type ApiResponse,
  bodyText,
  isChunked,
  type RequestHead,
  sentHeaders,
} from '../http/messages.ts'
import { type ApiHandler, apiHandlerSymbol, type PathItem } from '../http/route.ts'
import { createTypoMatcher } from '../http/unknown-path.ts'
import { type BaseUrl, queryString, requestTarget, sandboxPrefix } from '../http/url.ts'

/** Converts a fetch request to an API request. A body of more bytes than the limit is discarded. */
export async function toApiRequest(request: Request, limit: number): Promise<ApiRequest> {
  const { method, headers, signal, url } = request
  const bytes = request.body === null ? null : new Uint8Array(await request.arrayBuffer())
  const isOmitted = bytes !== null && bytes.length > limit
  return {
    method,
    url,
    target: requestTarget(url),
    query: queryString(url),
    headers,
    body: isOmitted ? { omitted: bytes.length } : bytes,
    onAbort(listener) {
      if (signal.aborted) listener()
      signal.addEventListener('abort', listener)
      return () => signal.removeEventListener('abort', listener)
    },
  }
}

const statusTexts: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

export function toResponse(
  { method, signal }: Pick<Request, 'method' | 'signal'>,
  response: ApiResponse,
): Response {
  const { status } = response
  if (status === 0) return Response.error()
  const init = { status, statusText: statusTexts[status] ?? '', headers: sentHeaders(response) }
  // The chunks of a HEAD response must not start, because they are never read.
  return new Response(method === 'HEAD' ? null : toBody(response, signal), init)
}

function toBody({ body }: ApiResponse, signal: AbortSignal): BodyInit | null {
  if (isChunked(body)) return toReadable(body, signal)
  return body instanceof Uint8Array ? (body as BodyInit) : bodyText(body) || null
}

/** Reads the next chunk only on demand: an error discards the chunks that wait in the queue of a ReadableStream. */
function toReadable(
  stream: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]()
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const { done, value } = await chunks.next().catch((error) => {
        // A client that aborted gets its own abort reason instead of a network error.
        signal.throwIfAborted()
        throw error
      })
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return?.()
    },
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

export type NotFound = (method: string, head: RequestHead) => ApiResponse

type RunArgs = Parameters<HttpHandler['run']>[0]
type RunResult = ReturnType<HttpHandler['run']>
type ParseArgs = Parameters<HttpHandler['parse']>[0]
type ParseResult = ReturnType<HttpHandler['parse']>

/**
 * An API handler as a real MSW handler. It serves every method of one path. It rejects other requests before MSW clones
 * or parses them, so several handlers are as fast as one.
 */
class MswHandler extends HttpHandler {
  readonly apiHandler: ApiHandler

  constructor(apiHandler: ApiHandler) {
    const { base, pattern, methods } = apiHandler
    const url = `${base.origin}${base.prefix}${pattern}`
    super(/.+/, url, async ({ request }) => (await this.run({ request, requestId: '' }))?.response)
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

/** The handlers of a user, which run before those of the simulator, as one MSW handler that stays the same. */
export class OwnHandlers extends HttpHandler {
  /** What they threw, by method and path. */
  readonly failures: Map<string, unknown> = new Map()
  /** Those that stay when the others are removed. */
  readonly initial: readonly RequestHandler[]
  current: readonly RequestHandler[]

  constructor(initial: readonly RequestHandler[]) {
    super(/.+/, '*', () => {})
    this.initial = initial
    this.current = initial
  }

  /** Runs them in order, as MSW does: one without a response leaves the request to the next. */
  override async run(args: RunArgs): RunResult {
    let result: Awaited<RunResult> = null
    for (const handler of this.current) {
      try {
        const next = (await handler.run(args)) as Awaited<RunResult>
        if (next) result = next
      } catch (error) {
        this.failures.set(handler.info.header, error)
        throw error
      }
      if (result?.response) break
    }
    return result
  }
}
