import { expect, vi } from 'vitest'
import { type SimulatorContext, withSimulator } from '../../src/node.ts'

/** Runs a function in `withSimulator`, then fails. @returns the lines that are printed */
export async function linesOfFailedRun(
  run: (context: SimulatorContext) => unknown,
): Promise<string[]> {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  try {
    const failed = withSimulator(async (context) => {
      await run(context)
      throw new Error('Mine')
    })
    await expect(failed).rejects.toThrow('Mine')
    return printed.mock.calls.flatMap(([text]) => String(text).split('\n'))
  } finally {
    printed.mockRestore()
  }
}
