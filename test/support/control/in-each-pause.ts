import { expect, onTestFinished, vi } from 'vitest'

/**
 * Runs a long task of which each step takes long, and a function in each pause between its steps. The task goes on when
 * the function has ended.
 */
export async function inEachPause<T>(task: () => Promise<T>, run: () => Promise<void>): Promise<T> {
  const held = holdPauses()
  let isDone = false
  const running = task().finally(() => {
    isDone = true
  })
  for (;;) {
    await expect.poll(() => isDone || held.length > 0).toBe(true)
    if (isDone) return running
    await run()
    held.shift()?.()
  }
}

function holdPauses(): (() => void)[] {
  const held: (() => void)[] = []
  class HeldChannel {
    readonly port1 = { onmessage: () => {}, close: () => {} }
    readonly port2 = { postMessage: () => void held.push(() => this.port1.onmessage()) }
  }
  let now = 0
  vi.stubGlobal('MessageChannel', HeldChannel)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 100))
  onTestFinished(() => {
    vi.unstubAllGlobals()
    clock.mockRestore()
  })
  return held
}
