import type { ServerResponse } from 'node:http'
import { Failure, failureResponse } from '../../http/failures.ts'
import type { ApiResponse } from '../../http/messages.ts'
import { isSimulatedNetworkError } from '../../http/responses.ts'
import { resolvePolicies } from '../../policies/settings.ts'

/** Writes an answer in one piece, or as its stream gives it. Texts known to be ASCII go out without being encoded. */
export function writeResponse(response: ServerResponse, answer: ApiResponse): void {
  const { status, headers, text, ascii, stream, page } = answer
  if (status === 0) {
    resetConnection(response)
    return
  }
  response.writeHead(status, headers)
  if (stream && response.req.method !== 'HEAD') writeStream(response, stream)
  else {
    const encoded = page?.bytesIfRepeated()
    if (encoded) response.end(encoded)
    else response.end(text, ascii ? 'latin1' : 'utf8')
  }
}

/** As when a server dies: the caller gets no answer. */
export function resetConnection(response: ServerResponse): void {
  try {
    response.socket?.resetAndDestroy()
  } catch {
    // Only TCP has resets: encrypted connections and local sockets just end.
  }
  response.destroy()
}

/** Breaks a connection on purpose: not before all that was written to it has left. */
function closeAfterWrites(response: ServerResponse): void {
  const destroy = () => void response.destroy()
  if (response.socket) response.socket.write('', destroy)
  else destroy()
}

/** An error of the stream is how a connection is broken on purpose; a caller who left is nobody's fault. */
async function writeStream(
  response: ServerResponse,
  stream: AsyncIterable<Uint8Array>,
): Promise<void> {
  response.flushHeaders()
  const pieces = stream[Symbol.asyncIterator]()
  response.once('close', () => void pieces.return?.().catch(() => {}))
  try {
    for (;;) {
      const { done, value } = await pieces.next()
      if (done) break
      // It may have been closed before anybody listened for that.
      if (response.destroyed) return void (await pieces.return?.())
      await written(response, value)
    }
    response.end()
  } catch {
    response.destroy()
  }
}

/** Until a piece has left: breaking the connection would take back what still waits here. */
function written(response: ServerResponse, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(piece, (error) => (error ? reject(error) : resolve()))
  })
}

/**
 * The end of a request whose answer could not be made or sent: a refusal, or the service's 500, and the exception
 * for `onError` alone.
 */
export function respondWithFailure(
  response: ServerResponse,
  error: unknown,
  onError: (error: unknown) => void,
): void {
  if (response.destroyed) return
  const refusal = error instanceof Failure ? error : new Failure('server_error')
  if (error !== refusal && !isSimulatedNetworkError(error)) onError(error)
  if (response.headersSent) closeAfterWrites(response)
  else writeResponse(response, failureResponse(refusal, resolvePolicies()))
}
