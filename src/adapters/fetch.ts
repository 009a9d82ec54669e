import type { ApiRequest, ApiResponse } from '../http/messages.ts'
import { queryString, requestTarget } from '../http/url.ts'

/** What a server knows of a request and a Request cannot hold. */
export interface ServerRequestInfo {
  /** The address as the caller wrote it, where a router was mounted below a path. */
  readonly url: string
  /** The body passed its limit and was let go. */
  readonly isTooLarge: boolean
}

const arrival: unique symbol = Symbol('arrival')

/** Notes on a request how it arrived. */
export function attachServerInfo(request: Request, note: ServerRequestInfo): Request {
  return Object.assign(request, { [arrival]: note })
}

/**
 * A fetch request as a call.
 *
 * @param limit the most bytes of a body; a longer one is not kept
 */
export async function toApiRequest(
  request: Request & { [arrival]?: ServerRequestInfo },
  limit: number,
): Promise<ApiRequest> {
  const { method, headers, signal } = request
  const { url, isTooLarge } = request[arrival] ?? { url: request.url, isTooLarge: false }
  const bytes = request.body === null ? null : new Uint8Array(await request.arrayBuffer())
  const isOver = isTooLarge || (bytes !== null && bytes.length > limit)
  const body = isOver ? 'too_large' : bytes
  const onGone = (listener: () => void) => onAbort(signal, listener)
  return {
    method,
    url,
    target: requestTarget(url),
    query: queryString(url),
    headers,
    body,
    onAbort: onGone,
  }
}

function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener()
  signal.addEventListener('abort', listener)
  return () => signal.removeEventListener('abort', listener)
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

/** An answer as a fetch response, with the status text a server would send. HEAD has no body. */
export function toResponse(
  { method, signal }: Pick<Request, 'method' | 'signal'>,
  { status, headers, text, stream }: ApiResponse,
): Response {
  if (status === 0) return Response.error()
  // Of HEAD nobody reads a stream, which must not begin then.
  const isEmpty = method === 'HEAD' || (!stream && text === '')
  const body = isEmpty ? null : stream ? toReadable(stream, signal) : text
  return new Response(body, {
    status,
    statusText: statusTexts[status] ?? '',
    headers,
  })
}

/** Nothing is made before it is read: an error would take away what stands in front of it unread. */
function toReadable(
  stream: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const pieces = stream[Symbol.asyncIterator]()
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const { done, value } = await pieces.next().catch((error) => {
        // Who gave up is told so, and not that the connection broke.
        signal.throwIfAborted()
        throw error
      })
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await pieces.return?.()
    },
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}
