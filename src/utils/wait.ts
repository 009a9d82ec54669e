// Taken when this module is loaded: fake timers that a test installs later do not stop latency that was asked for.
const { setTimeout: start, clearTimeout: stop } = globalThis

/** Has a listener told when something ends; gives the way to stop listening. */
export type OnAbort = (listener: () => void) => () => void

/**
 * Waits: the only place that does, and only where latency was asked for. Fake timers that were installed before
 * this module was loaded are the ones it waits for.
 *
 * @param onEnd ends the wait early, and frees its timer
 * @returns whether the time has passed
 */
export function wait(milliseconds: number, onEnd?: OnAbort): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = start(() => end(true), milliseconds)
    // What has ended already says so at once.
    let forget: (() => void) | undefined
    forget = onEnd?.(() => end(false))
    function end(hasPassed: boolean): void {
      stop(timer)
      forget?.()
      resolve(hasPassed)
    }
  })
}
