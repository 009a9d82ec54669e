import type { ReplayResult, StepResult } from '../../scenarios/run/result.ts'
import { AsyncQueue, encodeText } from '../../utils/async-queue.ts'
import { wait } from '../../utils/wait.ts'

/** How long a replay may go on without letting others in between, in milliseconds. */
const maxBlockingMs = 10

/**
 * A replay as server-sent events: `step` for each step when it has been run, then `result`; `failed` where it broke
 * off. When nobody reads on, it ends with the step that is run.
 *
 * @param replay runs it, and tells of each step; whatever `onStep` throws ends it
 * @throws what `replay` throws before the first step
 */
export async function replayEvents(
  replay: (onStep: (step: StepResult) => Promise<void>) => Promise<ReplayResult>,
): Promise<AsyncIterable<Uint8Array>> {
  const pieces: Uint8Array[] = []
  let [isComplete, isLeft] = [false, false]
  let rested = performance.now()
  const feed = new AsyncQueue({
    read: () => pieces.shift() ?? (isComplete ? 'end' : null),
    close() {
      isLeft = true
      pieces.length = 0
    },
  })
  const tell = (event: string, data: unknown): void => {
    if (isLeft) return
    pieces.push(encodeText(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
    feed.notify()
  }
  const end = (event: string, data: unknown): void => {
    isComplete = true
    tell(event, data)
  }
  await new Promise<void>((resolve, reject) => {
    const onStep = async (step: StepResult): Promise<void> => {
      tell('step', step)
      resolve()
      // A replay in this process waits for nothing: meanwhile nobody would be answered, nor seen to leave.
      if (performance.now() - rested > maxBlockingMs) {
        await wait(0)
        rested = performance.now()
      }
      if (isLeft) throw new Error('Nobody reads on.')
    }
    replay(onStep).then(
      (result) => {
        end('result', result)
        resolve()
      },
      (error: Error) => {
        end('failed', { message: error.message })
        // Who hears of a step already has an answer: to them it is an event.
        reject(error)
      },
    )
  })
  return { [Symbol.asyncIterator]: () => feed }
}
