import { afterAll, inject, onTestFinished, type TaskMeta, TestRunner } from 'vitest'
import { RunFollower } from '../../analysis/report/run-follower.ts'
import { mergeUsage, type RunUsage } from '../../analysis/report/run-usage.ts'
import type { SimulatorBase } from '../../sandbox/simulator-base.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether `understudy-api/vitest/reporter` is one of the reporters */
    understudyReport?: boolean
  }
  interface TaskMeta {
    understudy?: RunUsage
  }
}

/**
 * Includes the requests to a simulator of your own in the report of `understudy-api/vitest/reporter`. Without the
 * reporter it does nothing. Call it in a file, a suite or a test, right after the simulator was created.
 *
 * @example
 * const simulator = createSimulator()
 * reportRun(simulator)
 */
export function reportRun(simulator: SimulatorBase): void {
  if (!inject('understudyReport')) return
  const save = followUsage(simulator)
  const test = TestRunner.getCurrentTest()
  if (test) {
    onTestFinished(() => save(test.meta))
    return
  }
  const { file, suite } = TestRunner.getCurrentSuite()
  const meta = (suite?.file ?? file)?.meta
  afterAll(() => save(meta))
}

/** Follows a simulator. @returns a function that adds what was used to the data of a test or file */
export function followUsage(simulator: SimulatorBase): (meta: TaskMeta | undefined) => void {
  const follower = new RunFollower(simulator)
  return (meta) => {
    if (!meta) return
    const usage = follower.finish()
    // An earlier attempt of the same test, or another simulator.
    if (meta.understudy) mergeUsage(usage, meta.understudy)
    meta.understudy = usage
  }
}
