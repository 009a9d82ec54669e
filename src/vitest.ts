import { expect } from 'vitest'
import { interception } from './integrations/testing/interception.ts'
import { createMatchers } from './integrations/testing/matchers.ts'

export type { SimulatorFixtures } from './integrations/testing/fixtures.ts'
export { type SweepOptions, sweep } from './integrations/testing/sweep.ts'
export type { SimulatorMatchers } from './integrations/vitest/matchers.ts'
export { reportRun, test, type VitestFixtures } from './integrations/vitest/test.ts'

expect.extend(createMatchers((simulator) => interception.explainMissing(simulator)))
