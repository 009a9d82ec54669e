import { expect } from 'vitest'
import { matchers } from './integrations/testing/matchers.ts'

export type { SimulatorMatchers } from './integrations/vitest/matchers.ts'
export { test, test as it, type VitestFixtures } from './integrations/vitest/test.ts'
export type * from './types.ts'

expect.extend(matchers)
