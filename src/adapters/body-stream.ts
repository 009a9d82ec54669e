import { type ApiResponse, bodyText, createNetworkError } from '../http/messages.ts'
import { abortOf, nextTurn } from '../utils/wait.ts'

/**
 * Streams the body of a response as its fault says: in parts, and with an error in place of its end. Without a queue, which
 * the error would discard.
 *
 * @param signal a client that aborts gets its own reason, also while it waits for a part
 */
export function streamBody(
  { body, cutAfter, pace }: ApiResponse,
  signal?: AbortSignal,
): ReadableStream<Uint8Array> {
  const all = ArrayBuffer.isView(body) ? body : new TextEncoder().encode(bodyText(body))
  const bytes = all.subarray(0, cutAfter)
  const ended = new AbortController()
  let sent: number | null = null
  let stopFollowing: (() => void) | undefined
  const end = () => {
    stopFollowing?.()
    ended.abort()
  }
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      stopFollowing =
        signal &&
        abortOf(signal)(() => {
          ended.abort()
          controller.error(signal.reason)
        })
    },
    async pull(controller) {
      const isWhole = sent !== null && sent >= bytes.length
      const from = sent ?? 0
      const until = isWhole || !pace ? bytes.length : await pace(from, abortOf(ended.signal))
      if (ended.signal.aborted) return
      if (!isWhole && until !== null) {
        sent = Math.min(until, bytes.length)
        return controller.enqueue(bytes.subarray(from, sent))
      }
      const isCut = until === null || cutAfter !== undefined
      // msw 2 throws if a client of node:http leaves in the turn in which the body fails.
      if (isCut) await nextTurn()
      end()
      if (isCut) controller.error(createNetworkError())
      else controller.close()
    },
    cancel: end,
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}
