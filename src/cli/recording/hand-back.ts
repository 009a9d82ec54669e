import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HeaderPair } from '../../recordings/exchange.ts'
import type { OnResponse, ProxyContext } from './forward.ts'
import { toClientHeaders, toHeaderPairs } from './passed-headers.ts'
import { BodyCapture } from './taken-body.ts'

interface ForwardedRequest {
  readonly method: string
  readonly context: ProxyContext
  readonly onResponse: OnResponse
}

/** Hands an answer back as it comes. JSON is held back until all of it is there, as addresses in it shall lead here. */
export function forwardResponse(
  given: IncomingMessage,
  answer: ServerResponse,
  { method, context, onResponse }: ForwardedRequest,
): void {
  const { statusCode = 0, statusMessage, rawHeaders, headers } = given
  const encoding = headers['content-encoding']
  const heard = toHeaderPairs(rawHeaders)
  const taken = new BodyCapture()
  const begin = (text: string | null): void => {
    const kept = toClientHeaders(heard, context.rewriteLinks)
    const pairs = text === null ? kept : withContentLength(kept, text)
    answer.sendDate = false
    answer.writeHead(statusCode, statusMessage, pairs.flat())
  }
  let isHeld = method !== 'HEAD' && /\bjson\b/i.test(headers['content-type'] ?? '')
  if (!isHeld) begin(null)
  given.on('data', (chunk: Buffer) => {
    const held = isHeld && taken.length > 0 ? taken.bytes : null
    taken.add(chunk)
    if (isHeld && taken.isComplete) return
    if (isHeld) {
      isHeld = false
      begin(null)
      if (held) answer.write(held)
    }
    if (!answer.write(chunk)) {
      given.pause()
      answer.once('drain', () => given.resume())
    }
  })
  given.on('end', () => {
    // Before its end is handed on, by which all that was asked earlier is written: a crash loses no more than this one.
    const body = taken.toExchangedBody(encoding)
    onResponse(statusCode, heard, body)
    if (!isHeld) answer.end()
    else {
      const text = body && 'text' in body ? body.text : null
      const shown = text === null ? null : context.rewriteLinks(text)
      const isSame = shown === text || shown === null
      begin(isSame ? null : shown)
      answer.end(isSame ? taken.bytes : shown)
    }
  })
  given.on('error', () => {
    if (answer.destroyed) return
    onResponse(0, [], null)
    answer.destroy()
  })
}

/** Headers for a text in place of what was sent. */
function withContentLength(pairs: readonly HeaderPair[], text: string): HeaderPair[] {
  const rest = pairs.filter(([name]) => !/^(?:content-length|content-encoding|etag)$/i.test(name))
  return [...rest, ['content-length', String(Buffer.byteLength(text))]]
}
