import type { ApiRequest, ApiResponse, RequestHead } from '../http/messages.ts'
import { queryString, requestTarget } from '../http/url.ts'
import type { JsonPage } from '../utils/json-page.ts'
import type { ApiHandler } from './endpoint-handler.ts'

/** The facts about a request of a server that a fetch `Request` cannot contain. */
export interface ServerRequestInfo {
  /** The URL as the client sent it, including the path that a router is mounted at */
  readonly url: string
  readonly isTooLarge: boolean
}

const serverInfo: unique symbol = Symbol('server info')

/** Attaches the facts to a request. `toApiRequest` reads them. */
export function attachServerInfo(request: Request, info: ServerRequestInfo): Request {
  return Object.assign(request, { [serverInfo]: info })
}

/** Converts a fetch request to an API request. A body of more bytes than the limit is discarded. */
export async function toApiRequest(
  request: Request & { [serverInfo]?: ServerRequestInfo },
  limit: number,
): Promise<ApiRequest> {
  const { method, headers, signal } = request
  const { url, isTooLarge } = request[serverInfo] ?? { url: request.url, isTooLarge: false }
  const bytes = request.body === null ? null : new Uint8Array(await request.arrayBuffer())
  const isOverLimit = isTooLarge || (bytes !== null && bytes.length > limit)
  return {
    method,
    url,
    target: requestTarget(url),
    query: queryString(url),
    headers,
    body: isOverLimit ? 'too_large' : bytes,
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
  const { status, headers, stream, page } = response
  if (status === 0) return Response.error()
  // The stream of a HEAD response must not start, because it is never read.
  const body =
    method === 'HEAD'
      ? null
      : stream
        ? toReadable(stream, signal)
        : page
          ? readPage(page)
          : response.text || null
  return new Response(body, { status, statusText: statusTexts[status] ?? '', headers })
}

/** A stream, since a Response copies bytes, and not of the type `bytes`, since each clone of a response copies those. */
function readPage(page: JsonPage<unknown>): ReadableStream<Uint8Array> {
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    controller.enqueue(page.join())
    controller.close()
  }
  return new ReadableStream({ pull }, { highWaterMark: 0 })
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

export async function handleFetch(
  handlers: readonly ApiHandler[],
  request: Request,
  notFound: NotFound,
): Promise<Response> {
  for (const handler of handlers) {
    const match = handler.match(request.method, request.url, request)
    if (!match) continue
    const response = await match.handle(await toApiRequest(request, match.bodyLimit))
    return toResponse(request, response)
  }
  return toResponse(request, notFound(request.method, request))
}
