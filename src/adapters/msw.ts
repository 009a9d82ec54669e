import type { HttpHandler, RequestHandler } from 'msw'
import type { Call } from '../http/endpoint.ts'
import {
  type ApiResponse,
  connectionReset,
  networkErrorResponse,
  type Pace,
  type RequestHead,
} from '../http/messages.ts'
import {
  type ApiHandler,
  apiHandlerSymbol,
  type BaseUrl,
  compileHandlers,
  sandboxPrefix,
} from '../http/route.ts'
import { abortOf } from '../utils/wait.ts'
import { fromFetchRequest, toFetchResponse } from './fetch.ts'
import { http } from './msw-http.ts'

type Run = RequestHandler['run']

type NotFound = (method: string, head: RequestHead) => ApiResponse

/**
 * Creates an MSW handler for the requests of which a function finds something. MSW would copy each request and read its
 * cookies, even for the handlers that do not match, which takes as long as the response.
 *
 * @param respond gets what was found. Without a response, the next handler gets the request
 */
export function handlerFor<Found>(
  find: (request: Request) => Found | false | null,
  respond: (request: Request, match: Found) => Response | undefined | Promise<Response>,
): HttpHandler {
  const handler = all('*', () => {})
  handler.run = async ({ request, requestId }: Parameters<Run>[0]): ReturnType<Run> => {
    const match = find(request)
    if (!match) return null
    handler.isUsed = true
    const response = await respond(request, match)
    return { handler, request, requestId, ...(response && { response }) }
  }
  return handler
}

/**
 * Converts handlers of the API to MSW handlers. Each serves every method of one path. `listHandlers()` prints the methods
 * that are described, and the path. Both doors of a handler, `run` of MSW and its API handler, lead to the same function.
 */
export function toMswHandlers(handlers: readonly ApiHandler[]): HttpHandler[] {
  return handlers.map((apiHandler) => {
    const { base, path, methods } = apiHandler
    const match = compileHandlers([apiHandler])
    const handler = handlerFor<Call>(
      (request) => (isToSocket(request) ? null : match(request.url, request)),
      async (request, opened) => {
        const breakConnection = followClient(request)
        const response = await opened.handle(await fromFetchRequest(request, opened.bodyLimit))
        return toFetchResponse(request, breakConnection(response))
      },
    )
    handler.info.header = `${methods.join(', ')} ${base.origin}${base.prefix}${path}`
    return Object.assign(handler, { [apiHandlerSymbol]: apiHandler })
  })
}

/**
 * Creates the MSW handlers for unknown paths. With a base URL of its own the API owns every path below `/api`. On any
 * origin, other APIs can have paths there. A server answers unknown paths itself, since it may have others, too.
 */
export function notFoundHandlers(base: BaseUrl, notFound: NotFound): HttpHandler[] {
  const { origin, prefix } = base
  if (origin === '*') return []
  return ['', `${sandboxPrefix}/:sandbox`].map((sandbox) => {
    const path = `${sandbox}/api/*`
    const handler = all(origin + prefix + path, ({ request }) =>
      toFetchResponse(request, notFound(request.method, request)),
    )
    return Object.assign(handler, { [apiHandlerSymbol]: null })
  })
}

/**
 * Creates a handler without the line that declares it, which is one of this file: MSW would read a stack, and Vitest, which
 * maps each frame to its source, would take four times as long for a simulator.
 */
function all(...args: Parameters<typeof http.all>) {
  const { stackTraceLimit } = Error
  Reflect.set(Error, 'stackTraceLimit', 0)
  try {
    return http.all(...args)
  } finally {
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit)
  }
}

/** What is used of a `ClientRequest` of `node:http`, or of an `XMLHttpRequest`, that MSW intercepted. */
interface Client {
  once?(event: 'close', listener: () => void): void
  destroy?(error: Error): void
  readonly upload?: unknown
  readonly socketPath?: string
}

/**
 * Gives a request that MSW intercepted in Node what MSW leaves out: the signal of one of `node:http` aborts when its client
 * gives it up.
 *
 * @returns a function that breaks its connection as a server does, if the response says so: with a code by which clients
 *   decide to try again. It returns the response that MSW gets
 */
function followClient(request: Request): (response: ApiResponse) => ApiResponse {
  const client = clientOf(request)
  // A page sees nothing of a body that breaks off, and MSW would never end its request.
  if (client?.upload) {
    return ({ pace, ...response }) => {
      const unbroken = pace && (async (...at: Parameters<Pace>) => (await pace(...at)) ?? Infinity)
      return response.cutAfter === undefined
        ? { ...response, pace: unbroken }
        : networkErrorResponse
    }
  }
  if (!client?.once) return (response) => response
  const end = new AbortController()
  client.once('close', () => end.abort())
  // jsdom has an AbortSignal of its own, whose `any` refuses that of the request.
  abortOf(request.signal)(() => end.abort(request.signal.reason))
  Object.defineProperty(request, 'signal', { value: end.signal })
  return (response) => {
    if (response.status === 0) client.destroy?.(connectionReset())
    return response
  }
}

/** Whether a request goes to a socket of this machine, such as that of a daemon, whatever its URL. */
function isToSocket(request: Request) {
  return Boolean(clientOf(request)?.socketPath)
}

/** MSW keeps what it intercepted under a symbol, which only a dependency of it exports. */
function clientOf(request: Request): Client | undefined {
  const symbols = Object.getOwnPropertySymbols(request)
  const key = symbols.find(({ description }) => description === 'kRawRequest')
  return key && Reflect.get(request, key)
}
