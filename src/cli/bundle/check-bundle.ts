import { readScenario } from '../../read-scenario.ts'
import type { StepResult } from '../../scenarios/result.ts'
import { createSimulator } from '../../simulator.ts'

/** Longer than that nobody waits for a check: milliseconds. */
const timeLimit = 10_000
/** A larger file would not be read whole to be checked. */
const maxBundleBytes = 64 * 1024 * 1024

/** What came of it. */
export interface BundleCheck {
  /** How many steps were tried */
  readonly checked: number
  /** The numbers of those that were answered otherwise, from 1 on */
  readonly differing: readonly number[]
}

/** Replays a bundle in this process, to know whether it carries all that its answers come from. */
export async function checkBundle(file: string, bytes: number): Promise<BundleCheck> {
  const results: StepResult[] = []
  if (bytes > maxBundleBytes) return { checked: 0, differing: [] }
  const scenario = await readScenario(file)
  const began = performance.now()
  const enough = new Error('Enough was checked.')
  try {
    await createSimulator().replay(scenario, {
      decide: false,
      onStep(result) {
        results.push(result)
        if (performance.now() - began > timeLimit) throw enough
      },
    })
  } catch (error) {
    if (error !== enough) throw error
  }
  const otherwise = results.filter(({ outcome }) => outcome !== 'held').map(({ step }) => step)
  return { checked: results.length, differing: otherwise }
}
