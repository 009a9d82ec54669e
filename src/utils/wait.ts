// Read when this module loads, so that fake timers installed later by a test do not stop configured latency.
const {
  setTimeout: startTimer,
  clearTimeout: stopTimer,
  setInterval: startInterval,
  clearInterval: stopInterval,
} = globalThis

/** Registers a listener for the end of a request. Returns a function that removes the listener. */
export type OnAbort = (listener: () => void) => () => void

/** Resolves in a later turn of the event loop. After two, requests that wait are handled. Fake timers do not stop it. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    // Happy DOM in a vm pool of Vitest has none.
    if (typeof MessageChannel === 'undefined') return void startTimer(resolve, 0)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}

/** Lets timers and signals have a turn after so many steps of long work, in which each promise is resolved at once. */
export async function turnAfter(steps: number): Promise<void> {
  if (steps % stepsInTurn === 0) await nextTurn()
}

const stepsInTurn = 20

/** Waits for a configured latency. Returns false if the wait was aborted, which frees its timer. */
export function wait(milliseconds: number, onAbort?: OnAbort): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = startTimer(() => finish(true), milliseconds)
    // Declared before the call: a request that has already ended calls its listener at once.
    let isFinished = false
    let removeListener: (() => void) | undefined
    removeListener = onAbort?.(() => finish(false))
    if (isFinished) removeListener?.()
    function finish(isComplete: boolean) {
      isFinished = true
      stopTimer(timer)
      removeListener?.()
      resolve(isComplete)
    }
  })
}

/** Calls a function again and again. It does not keep a process running. @returns a function that ends it */
export function repeat(milliseconds: number, call: () => void): () => void {
  const timer = startInterval(call, milliseconds)
  // A number in a browser.
  Object(timer).unref?.()
  return () => stopInterval(timer)
}

/** Ends a wait when a signal aborts, or at once if it has aborted before. */
export function abortOf(signal: AbortSignal): OnAbort {
  return (listener) => {
    if (signal.aborted) listener()
    else signal.addEventListener('abort', listener, { once: true })
    return () => signal.removeEventListener('abort', listener)
  }
}

/** Waits for a promise, at most so many milliseconds. @param onLate what happens then */
export async function inTime<T>(
  promise: Promise<T>,
  milliseconds: number,
  onLate: () => T,
): Promise<T> {
  const ended = new AbortController()
  const timer = wait(milliseconds, abortOf(ended.signal)).then((isLate) =>
    isLate ? onLate() : promise,
  )
  return Promise.race([promise, timer]).finally(() => ended.abort())
}
