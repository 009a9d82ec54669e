import type { ApiRequest } from '../../http/messages.ts'
import type { NodeRequest } from './node-request.ts'

/** Whether a request may have a body worth reading. */
export function hasBody({ method, headers }: NodeRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Reads the body of a request. One that passes the limit is read to its end and thrown away, so that the
 * connection can go on.
 *
 * @param limit in bytes
 * @param done told of the body; without a promise, which would cost as much again as reading a small one
 * @param gone told when the caller goes away before the end
 */
export function readBody(
  request: NodeRequest,
  limit: number,
  done: (body: ApiRequest['body']) => void,
  gone: (error: Error) => void,
): void {
  if (request.readableEnded) {
    done(alreadyRead(request, limit))
    return
  }
  let chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > limit) chunks = []
    else chunks.push(chunk)
  })
  request.on('end', () => done(size > limit ? 'too_large' : joined(chunks)))
  request.on('error', gone)
}

/** The same for who waits. @throws Error when the caller goes away before the end */
export function readWholeBody(request: NodeRequest, limit: number): Promise<ApiRequest['body']> {
  return new Promise((resolve, reject) => readBody(request, limit, resolve, reject))
}

/** Most bodies come in one chunk, which needs no copy. */
function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks
  return chunks.length === 1 && only ? only : Buffer.concat(chunks)
}

/** A body that a parser before us has read, such as express.json(), express.text() or express.raw(). */
function alreadyRead({ body, headers }: NodeRequest, limit: number): ApiRequest['body'] {
  if (body === undefined) return null
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  const bytes = body instanceof Uint8Array ? body : Buffer.from(asText(body, isForm === true))
  return bytes.length > limit ? 'too_large' : bytes
}

function asText(body: unknown, isForm: boolean): string {
  if (typeof body === 'string') return body
  return isForm ? String(new URLSearchParams(body as Record<string, string>)) : JSON.stringify(body)
}
