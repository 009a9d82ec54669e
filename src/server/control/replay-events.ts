import type { ReplayResult, StepResult } from '../../scenarios/run/result.ts'
import { AsyncQueue, encodeText } from '../../utils/async-queue.ts'
import { wait } from '../../utils/wait.ts'

/** The longest time that a replay keeps the server from handling other requests, in milliseconds. */
const maxBlockingMs = 10

/**
 * Converts a replay to server-sent events: `step` after each step, then `result`, or `error` if an error ends the
 * replay. If the client disconnects, the replay ends after the current step.
 *
 * @param replay runs a scenario, until `onStep` throws
 * @throws the error of `replay`, if it occurs before the first step
 */
export async function replayEvents(
  replay: (onStep: (step: StepResult) => Promise<void>) => Promise<ReplayResult>,
): Promise<AsyncIterable<Uint8Array>> {
  const events: Uint8Array[] = []
  let [isComplete, isClosed] = [false, false]
  const queue = new AsyncQueue({
    read: () => events.shift() ?? (isComplete ? 'end' : null),
    close() {
      isClosed = true
    },
  })
  const send = (event: 'step' | 'result' | 'error', data: unknown): void => {
    isComplete = event !== 'step'
    events.push(encodeText(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
    queue.notify()
  }
  let lastPause = performance.now()
  await new Promise<void>((resolve, reject) => {
    const onStep = async (step: StepResult): Promise<void> => {
      send('step', step)
      resolve()
      if (performance.now() - lastPause > maxBlockingMs) {
        await wait(0)
        lastPause = performance.now()
      }
      if (isClosed) throw new Error('The client disconnected.')
    }
    replay(onStep).then(
      (result) => {
        send('result', result)
        resolve()
      },
      (error: Error) => {
        send('error', { message: error.message })
        // After a step the response has begun. The promise is resolved then, and the client reads the event.
        reject(error)
      },
    )
  })
  return { [Symbol.asyncIterator]: () => queue }
}
