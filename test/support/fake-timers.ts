import { onTestFinished, vi } from 'vitest'
import type { SimulatorOptions } from '../../src/sandbox/simulator-options.ts'
import type { Simulator } from '../../src/simulator.ts'

/** Creates a simulator whose code is loaded while fake timers are installed, so that they control injected latency. */
export async function startUnderFakeTimers(options: SimulatorOptions = {}): Promise<Simulator> {
  vi.useFakeTimers()
  vi.resetModules()
  onTestFinished(() => {
    vi.useRealTimers()
    vi.resetModules()
  })
  const { createSimulator } = await import('../../src/simulator.ts')
  return createSimulator(options)
}
