import { waitOfThrottled } from '../../http/retry-after.ts'
import type { RequestStep } from '../format/scenario.ts'
import type { ReceivedResponse, Sender, SentRequest } from './sender.ts'

/** In seconds. A service that asks for a longer wait is not asked again. */
export const longestWait = 60
/** How often a throttled request is sent again. */
export const maxRepeats = 3

/** Sends the request of a step. A service that throttles it gets it again after its wait, unless the step expects that. */
export async function sendPolitely(
  { expect }: RequestStep,
  sent: SentRequest,
  sender: Sender,
): Promise<ReceivedResponse> {
  const isExpected = ['429', '4xx'].includes(String(expect?.status).toLowerCase())
  for (let repeat = 0; ; repeat += 1) {
    const response = await sender.send(sent)
    if (!sender.pause || response.status !== 429 || isExpected) return response
    const seconds = waitOfThrottled(response) ?? 2 ** repeat
    if (seconds > longestWait || repeat === maxRepeats) return response
    await sender.pause(seconds * 1_000)
  }
}
