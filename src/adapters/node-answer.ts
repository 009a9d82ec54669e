import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Answer } from '../http/call.ts'

/** Writes an answer in one piece, or as its stream gives it. Texts known to be ASCII go out without being encoded. */
export function writeAnswer(response: ServerResponse, answer: Answer): void {
  const { status, headers, text, ascii, stream } = answer
  if (status === 0) {
    reset(response)
    return
  }
  response.writeHead(status, headers)
  if (stream && response.req.method !== 'HEAD') writeStream(response, stream)
  else response.end(text, ascii ? 'latin1' : 'utf8')
}

/** As when a server dies: the caller gets no answer. */
function reset(response: ServerResponse): void {
  if (response.socket) response.socket.resetAndDestroy()
  else response.destroy()
}

function writeStream(response: ServerResponse, stream: AsyncIterable<Uint8Array>): void {
  response.flushHeaders()
  // An error of the stream is how a connection is broken on purpose; a caller who left is nobody's fault.
  pipeline(Readable.from(stream, { objectMode: false }), response).catch(() => response.destroy())
}
