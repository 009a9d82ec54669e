import type { OnAbort } from './wait.ts'

/** Ends a wait when a signal aborts, or at once if it has aborted before. */
export function abortOf(signal: AbortSignal): OnAbort {
  return (listener) => {
    if (signal.aborted) listener()
    else signal.addEventListener('abort', listener, { once: true })
    return () => signal.removeEventListener('abort', listener)
  }
}
