import {
  type ApiRequest,
  type ApiResponse,
  bodyText,
  isChunked,
  type RequestHead,
  sentHeaders,
} from '../http/messages.ts'
import { queryString, requestTarget } from '../http/url.ts'
import { JsonPage } from '../utils/json-page.ts'
import type { ApiHandler } from './endpoint-handler.ts'

/** The facts about a request of a server that a fetch `Request` cannot contain. */
export interface ServerRequestInfo {
  /** The URL as the client sent it, including the path that a router is mounted at */
  readonly url: string
  /** The length of a body beyond the limit, which was discarded */
  readonly omitted?: number | undefined
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
  const info: ServerRequestInfo = request[serverInfo] ?? { url: request.url }
  const { url } = info
  const bytes = request.body === null ? null : new Uint8Array(await request.arrayBuffer())
  const omitted = bytes !== null && bytes.length > limit ? bytes.length : info.omitted
  return {
    method,
    url,
    target: requestTarget(url),
    query: queryString(url),
    headers,
    body: omitted === undefined ? bytes : { omitted },
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
  if (body instanceof JsonPage) return readPage(body)
  return body instanceof Uint8Array ? (body as BodyInit) : bodyText(body) || null
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
