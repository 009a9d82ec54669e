import type { ApiRequest } from '../../http/messages.ts'
import type { NodeRequest } from './node-request.ts'

/** Whether a request has a body to read. The body of a GET or HEAD request is ignored. */
export function hasBody({ method, headers }: NodeRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Reads the body of a request. A body over the limit is read to its end and discarded, so that the connection can be
 * used again. Takes callbacks, because a promise costs as much as reading a small body.
 *
 * @param limit in bytes
 * @param onBody called with the body
 * @param onError called if the client disconnects before the end
 */
export function readBody(
  request: NodeRequest,
  limit: number,
  onBody: (body: ApiRequest['body']) => void,
  onError: (error: Error) => void,
): void {
  if (request.readableEnded) {
    onBody(parsedBody(request, limit))
    return
  }
  let chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > limit) chunks = []
    else chunks.push(chunk)
  })
  request.on('end', () => onBody(size > limit ? 'too_large' : joinChunks(chunks)))
  request.on('error', onError)
}

/** Reads the body of a request. @throws Error if the client disconnects before the end */
export function readWholeBody(request: NodeRequest, limit: number): Promise<ApiRequest['body']> {
  return new Promise((resolve, reject) => readBody(request, limit, resolve, reject))
}

/** Most bodies arrive in one chunk, which is not copied. */
function joinChunks(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks
  return chunks.length === 1 && first ? first : Buffer.concat(chunks)
}

/** A body that middleware such as express.json(), express.text() or express.raw() has already read. */
function parsedBody({ body, headers }: NodeRequest, limit: number): ApiRequest['body'] {
  if (body === undefined) return null
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  const bytes = body instanceof Uint8Array ? body : Buffer.from(toText(body, isForm === true))
  return bytes.length > limit ? 'too_large' : bytes
}

function toText(body: unknown, isForm: boolean): string {
  if (typeof body === 'string') return body
  return isForm ? String(new URLSearchParams(body as Record<string, string>)) : JSON.stringify(body)
}
