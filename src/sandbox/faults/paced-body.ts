import { createNetworkError, type WrittenText } from '../../http/messages.ts'
import { type OnAbort, wait } from '../../utils/wait.ts'

/** How a body is sent. */
export interface BodyPacing {
  /** Breaks the connection after this many bytes. */
  readonly cut?: number | undefined
  readonly bytesPerSecond?: number | undefined
  /** Pauses after this many bytes. */
  readonly pause?: { readonly milliseconds: number; readonly after: number }
}

/** How many chunks a slow body is split into, per second. */
const chunksPerSecond = 10

/** The bytes that are sent at once. */
export function chunkSize(bytesPerSecond: number): number {
  return Math.max(1, Math.floor(bytesPerSecond / chunksPerSecond))
}

/** A text that is sent in chunks. An exception breaks the connection. The stream ends early if the client disconnects. */
export function pacedBody(
  text: string,
  pacing: BodyPacing,
  onAbort?: OnAbort,
): WrittenText & AsyncIterable<Uint8Array> {
  return {
    text,
    [Symbol.asyncIterator]() {
      const cancellation = new AbortController()
      const { signal } = cancellation
      const onCancel: OnAbort = (listener) => {
        signal.addEventListener('abort', listener)
        const stopListening = onAbort?.(listener)
        return () => {
          signal.removeEventListener('abort', listener)
          stopListening?.()
        }
      }
      const chunks = createChunks(text, pacing, onCancel)
      return {
        next: () => chunks.next(),
        // Without the cancellation, a waiting generator would return only when its time has passed.
        return() {
          cancellation.abort()
          return chunks.return(undefined)
        },
      }
    },
  }
}

async function* createChunks(
  text: string,
  { cut, bytesPerSecond, pause }: BodyPacing,
  onCancel: OnAbort,
): AsyncGenerator<Uint8Array, undefined> {
  const body = new TextEncoder().encode(text)
  const end = Math.min(cut ?? body.length, body.length)
  const step = bytesPerSecond ? chunkSize(bytesPerSecond) : end
  // An empty chunk, so that the headers are sent.
  if (end === 0) yield body.subarray(0, 0)
  for (let start = 0; start < end; ) {
    const stop = Math.min(start + step, end, pause && start < pause.after ? pause.after : end)
    yield body.subarray(start, stop)
    if (stop === pause?.after && !(await wait(pause.milliseconds, onCancel)))
      throw createNetworkError()
    const seconds = bytesPerSecond && stop < end ? (stop - start) / bytesPerSecond : 0
    if (seconds > 0 && !(await wait(seconds * 1_000, onCancel))) throw createNetworkError()
    start = stop
  }
  if (end < body.length) throw createNetworkError()
  return undefined
}
