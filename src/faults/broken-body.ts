import { brokenOff } from '../http/broken.ts'
import { type OnEnd, wait } from '../timers.ts'

/** How a body goes out. */
export interface BodyCourse {
  /** Breaks off after so many bytes. */
  readonly cut?: number | undefined
  readonly bytesPerSecond?: number | undefined
  /** A pause, and after how many bytes. */
  readonly pause?: { readonly milliseconds: number; readonly after: number }
}

/** The most pieces a second that a slow body comes in. */
const pieces = 10

/** A body that goes out in pieces; where it throws, the connection breaks. It ends early when the caller goes away. */
export function bodyInPieces(
  text: string,
  course: (length: number) => BodyCourse,
  onGone?: OnEnd,
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const ending = new Ending(onGone)
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
  course: (length: number) => BodyCourse,
  onEnd: OnEnd,
): AsyncGenerator<Uint8Array, undefined> {
  const body = new TextEncoder().encode(text)
  const { cut = body.length, bytesPerSecond, pause } = course(body.length)
  const end = Math.min(cut, body.length)
  const step = bytesPerSecond ? Math.max(1, Math.floor(bytesPerSecond / pieces)) : end
  // Sends the head on its way where no byte of the body follows.
  if (end === 0) yield body.subarray(0, 0)
  for (let start = 0; start < end; ) {
    const stop = Math.min(start + step, end, pause && start < pause.after ? pause.after : end)
    yield body.subarray(start, stop)
    if (stop === pause?.after && !(await wait(pause.milliseconds, onEnd))) throw brokenOff()
    const seconds = bytesPerSecond && stop < end ? (stop - start) / bytesPerSecond : 0
    if (seconds > 0 && !(await wait(seconds * 1_000, onEnd))) throw brokenOff()
    start = stop
  }
  if (end < body.length) throw brokenOff()
  return undefined
}

/** The end of a body before its time: the caller went away, or reads no more. */
class Ending {
  readonly #listeners = new Set<() => void>()
  readonly #onGone: OnEnd | undefined

  constructor(onGone: OnEnd | undefined) {
    this.#onGone = onGone
  }

  readonly onEnd: OnEnd = (listener) => {
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
