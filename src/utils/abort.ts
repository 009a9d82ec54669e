import type { OnAbort } from './wait.ts'

/** Ends a wait when a signal aborts. */
export function abortOf(signal: AbortSignal): OnAbort {
  return (listener) => {
    signal.addEventListener('abort', listener, { once: true })
    return () => signal.removeEventListener('abort', listener)
  }
}
