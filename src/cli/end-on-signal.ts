import { isSafeMethod } from '../http/url.ts'
import type { Target } from '../scenarios/run/target.ts'

/**
 * A target that sends nothing after a signal, so that the replay ends, and frees what it has on a server. The response to
 * a write is waited for, because it says whether the write was carried out.
 *
 * @throws the reason of the signal
 */
export function endOnSignal(target: Target, signal: AbortSignal): Target {
  return {
    ...target,
    async send(request) {
      signal.throwIfAborted()
      const response = await target.send(request, isSafeMethod(request.method) ? signal : undefined)
      signal.throwIfAborted()
      return response
    },
  }
}
