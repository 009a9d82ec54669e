import { waitOfThrottled } from '../../http/throttle.ts'

/** Whether a service that asks for a wait is not asked again. In seconds */
export const isTooLong = (wait: number): boolean => wait > 60

/** How often a throttled request is sent again. */
const maxRepeats = 3

interface Waited<Response> {
  readonly response: Response
  /** The wait, in seconds, after which a request that is throttled still was not sent again. Null for another response */
  readonly refusedWait: number | null
}

/** Sends a request, and again after the wait that a 429 asks for. @param pause waits some seconds */
export async function sendAfterWaits<
  Response extends { readonly status: number; readonly headers: Headers; readonly text: string },
>(
  send: () => Promise<Response>,
  pause: (seconds: number) => Promise<unknown> | undefined,
): Promise<Waited<Response>> {
  for (let repeat = 0; ; repeat += 1) {
    const response = await send()
    if (response.status !== 429) return { response, refusedWait: null }
    const seconds = waitOfThrottled(response) ?? 2 ** repeat
    if (isTooLong(seconds) || repeat === maxRepeats) return { response, refusedWait: seconds }
    await pause(seconds)
  }
}
