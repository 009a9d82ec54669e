import { readScenario } from '../../read-scenario.ts'
import type { StepResult } from '../../scenarios/result.ts'
import { createSimulator } from '../../simulator.ts'

/** Longer than that nobody waits for a check: milliseconds. */
const patience = 10_000
/** A larger file would not be read whole to be checked. */
const largest = 64 * 1024 * 1024

/** What came of it. */
export interface BundleCheck {
  /** How many steps were tried */
  readonly checked: number
  /** The numbers of those that were answered otherwise, from 1 on */
  readonly otherwise: readonly number[]
}

/** Replays a bundle in this process, to know whether it carries all that its answers come from. */
export async function checkBundle(file: string, bytes: number): Promise<BundleCheck> {
  const results: StepResult[] = []
  if (bytes > largest) return { checked: 0, otherwise: [] }
  const scenario = await readScenario(file)
  const began = performance.now()
  const enough = new Error('Enough was checked.')
  try {
    await createSimulator().replay(scenario, {
      decide: false,
      onStep(result) {
        results.push(result)
        if (performance.now() - began > patience) throw enough
      },
    })
  } catch (error) {
    if (error !== enough) throw error
  }
  const otherwise = results.filter(({ outcome }) => outcome !== 'held').map(({ step }) => step)
  return { checked: results.length, otherwise }
}
