import {
  type ApiRequest,
  type ApiResponse,
  bodyText,
  connectionReset,
  isBodyFaulty,
  isStream,
  queryString,
  requestTarget,
  sentHeaders,
} from '../http/messages.ts'
import { isError } from '../utils/kinds.ts'
import { abortOf } from '../utils/wait.ts'
import { streamBody } from './body-stream.ts'

/** Converts a fetch request to an API request. A body of more bytes than the limit is discarded. */
export async function fromFetchRequest(
  request: Request & Pick<ApiRequest, 'onSent'>,
  limit: number,
): Promise<ApiRequest> {
  const { method, headers, signal, url, onSent } = request
  let bytes: Uint8Array | null = null
  let brokenOff: string | undefined
  try {
    if (request.body !== null) bytes = new Uint8Array(await request.arrayBuffer())
  } catch (error) {
    if (signal.aborted) throw error
    brokenOff = isError(error) ? error.message : String(error)
  }
  const length = bytes?.length ?? 0
  return {
    method,
    url,
    target: requestTarget(url),
    query: queryString(url),
    headers,
    body: length > limit ? { omitted: length } : bytes,
    brokenOff,
    ...(onSent && { onSent }),
    onAbort: abortOf(signal),
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

export function toFetchResponse(
  { method, signal }: Pick<Request, 'method' | 'signal'>,
  response: ApiResponse,
): Response {
  const { status } = response
  // MSW makes it the cause of the error of fetch.
  if (status === 0) {
    const { name, message, ...fields } = connectionReset()
    return Object.assign(Response.error(), { name, message, ...fields })
  }
  const init = { status, statusText: statusTexts[status] ?? '', headers: sentHeaders(response) }
  // The chunks of a HEAD response must not start, because they are never read.
  return new Response(method === 'HEAD' ? null : toBody(response, signal), init)
}

function toBody(response: ApiResponse, signal: AbortSignal): BodyInit | null {
  const { body } = response
  if (isBodyFaulty(response)) return streamBody(response, signal)
  if (isStream(body)) return body
  return ArrayBuffer.isView(body) ? (body as BodyInit) : bodyText(body) || null
}

/** MSW marks the response of `passthrough()` with a header. */
export function isPassthrough({ headers }: Response): boolean {
  return headers.get('x-msw-intention') === 'passthrough'
}
