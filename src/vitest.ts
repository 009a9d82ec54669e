import { expect } from 'vitest'
import { toHaveReceived, toPassScenario } from './integrations/vitest/matchers.ts'

export type { As, Caller, SimulatorFixtures } from './integrations/testing/fixtures.ts'
export type { SimulatorMatchers } from './integrations/vitest/matchers.ts'
export { test, type VitestFixtures } from './integrations/vitest/test.ts'

expect.extend({ toPassScenario, toMatchScenario: toPassScenario, toHaveReceived })
