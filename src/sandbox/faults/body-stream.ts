import { createNetworkError } from '../../http/responses.ts'
import { type OnAbort, wait } from '../../utils/wait.ts'

/** How a body goes out. */
export interface BodyPacing {
  /** Breaks off after so many bytes. */
  readonly cut?: number | undefined
  readonly bytesPerSecond?: number | undefined
  /** A pause, and after how many bytes. */
  readonly pause?: { readonly milliseconds: number; readonly after: number }
}

/** The most pieces a second that a slow body comes in. */
const piecesPerSecond = 10

/** A body that goes out in pieces; where it throws, the connection breaks. It ends early when the caller goes away. */
export function streamBody(
  text: string,
  course: (length: number) => BodyPacing,
  onGone?: OnAbort,
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const ending = new Cancellation(onGone)
      const given = produce(text, course, ending.onEnd)
      return {
        next: () => given.next(),
        // A generator that waits would come back only when its time has passed.
        return() {
          ending.end()
          return given.return(undefined)
        },
      }
    },
  }
}

async function* produce(
  text: string,
  course: (length: number) => BodyPacing,
  onEnd: OnAbort,
): AsyncGenerator<Uint8Array, undefined> {
  const body = new TextEncoder().encode(text)
  const { cut = body.length, bytesPerSecond, pause } = course(body.length)
  const end = Math.min(cut, body.length)
  const step = bytesPerSecond ? Math.max(1, Math.floor(bytesPerSecond / piecesPerSecond)) : end
  // Sends the head on its way where no byte of the body follows.
  if (end === 0) yield body.subarray(0, 0)
  for (let start = 0; start < end; ) {
    const stop = Math.min(start + step, end, pause && start < pause.after ? pause.after : end)
    yield body.subarray(start, stop)
    if (stop === pause?.after && !(await wait(pause.milliseconds, onEnd)))
      throw createNetworkError()
    const seconds = bytesPerSecond && stop < end ? (stop - start) / bytesPerSecond : 0
    if (seconds > 0 && !(await wait(seconds * 1_000, onEnd))) throw createNetworkError()
    start = stop
  }
  if (end < body.length) throw createNetworkError()
  return undefined
}

/** The end of a body before its time: the caller went away, or reads no more. */
class Cancellation {
  readonly #listeners = new Set<() => void>()
  readonly #onGone: OnAbort | undefined

  constructor(onGone: OnAbort | undefined) {
    this.#onGone = onGone
  }

  readonly onEnd: OnAbort = (listener) => {
    this.#listeners.add(listener)
    const forget = this.#onGone?.(listener)
    return () => {
      this.#listeners.delete(listener)
      forget?.()
    }
  }

  end(): void {
    for (const listener of [...this.#listeners]) listener()
  }
}
