import type { ServerResponse } from 'node:http'
import type { Answer } from '../http/call.ts'

/** Writes an answer in one piece. Texts known to be ASCII go out without being encoded. */
export function writeAnswer(response: ServerResponse, answer: Answer): void {
  const { status, headers, text, ascii } = answer
  response.writeHead(status, headers)
  response.end(text, ascii ? 'latin1' : 'utf8')
}
