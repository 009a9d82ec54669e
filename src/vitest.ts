import { expect } from 'vitest'
import { interception } from './integrations/testing/interception.ts'
import { createMatchers } from './integrations/testing/matchers.ts'

export { sweep } from './integrations/testing/sweep.ts'
export type { SimulatorMatchers } from './integrations/vitest/matchers.ts'
export { reportRun, test, type VitestFixtures } from './integrations/vitest/test.ts'
export type * from './types.ts'

expect.extend(createMatchers((simulator) => interception.explainMissing(simulator)))
