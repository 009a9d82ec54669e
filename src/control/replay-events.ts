import type { ReplayResult, StepResult } from '../scenarios/result.ts'

/**
 * A replay as server-sent events: `step` for each step when it has been run, then `result`; `failed` where it broke
 * off.
 *
 * @param replay runs it, and tells of each step
 * @throws what `replay` throws before the first step
 */
export async function replayEvents(
  replay: (onStep: (step: StepResult) => void) => Promise<ReplayResult>,
): Promise<AsyncIterable<Uint8Array>> {
  const pieces: Uint8Array[] = []
  let isEnded = false
  let wake = (): void => {}
  const tell = (event: string, data: unknown): void => {
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    pieces.push(new TextEncoder().encode(text))
    wake()
  }
  const begun = new Promise<void>((resolve, reject) => {
    const onStep = (step: StepResult): void => {
      tell('step', step)
      resolve()
    }
    const end = (): void => {
      isEnded = true
      wake()
    }
    replay(onStep).then(
      (result) => {
        end()
        tell('result', result)
        resolve()
      },
      (error: Error) => {
        end()
        tell('failed', { message: error.message })
        // Who hears of a step already has an answer: to them it is an event.
        reject(error)
      },
    )
  })
  await begun
  return told()

  async function* told(): AsyncGenerator<Uint8Array> {
    for (;;) {
      for (const piece of pieces.splice(0)) yield piece
      if (isEnded && pieces.length === 0) return
      if (pieces.length > 0) continue
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
}
