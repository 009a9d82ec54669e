import { aroundEach, inject, test as plain, type TestAPI, TestRunner } from 'vitest'
import type { RunningServer } from '../../server/listen.ts'
import { createSimulator } from '../../simulator.ts'
import { describeLatestRequests } from '../testing/failed-requests.ts'
import { createAs, type SimulatorFixtures } from '../testing/fixtures.ts'
import { interception } from '../testing/interception.ts'
import { followUsage } from './report-run.ts'
import { declareTest } from './sweep-tests.ts'

/** Declares a test as Vitest does. The hook is added here, since this module can be shared by several test files. */
const collector: TestAPI = TestRunner.createTaskCollector(function (
  this: ThisParameterType<TestAPI['fn']>,
  ...declaration: Parameters<TestAPI['fn']>
) {
  interceptSuite()
  declareTest((...parts) => plain.fn.apply(this, parts as typeof declaration), declaration)
})

/**
 * Vitest's `test` with a new simulator for each test and its hooks. The simulator intercepts the requests of any HTTP
 * client, to any origin, and works with concurrent tests. Requests to other APIs go through to this machine, and fail
 * elsewhere. If a test fails, its latest requests are printed.
 *
 * @example
 * const test = base.extend({ simulatorOptions: { world: 'empty' } }) // in a suite: test.override
 * test('lists no rows', async ({ as }) => {
 *   const response = await fetch('https://app.example.com/api/projects/', { headers: as('all').headers })
 * })
 */
export const test: TestAPI<VitestFixtures> = collector.extend<VitestFixtures>({
  simulatorOptions: {},
  simulator: async ({ simulatorOptions, task, onTestFailed }, use) => {
    const simulator = createSimulator(simulatorOptions)
    const saveUsage = inject('understudyReport') ? followUsage(simulator) : null
    onTestFailed(() => {
      if (task.fails) return
      console.error(describeLatestRequests(simulator, interception.countElsewhere(simulator)))
    })
    await use(simulator)
    saveUsage?.(task.meta)
  },
  as: ({ simulator }, use) => use(createAs(simulator)),
  server: async ({ simulator }, use) => {
    // Loaded on demand, because few tests need Express.
    const { listen } = await import('../../server/listen.ts')
    const server = await listen(simulator)
    await use(server)
    await server.close()
  },
})

/** The fixtures of a test in Vitest. */
export interface VitestFixtures extends SimulatorFixtures {
  /**
   * Serves the simulator of the test on a free port, for clients in other processes. It starts if a test uses it, and is
   * closed after the test.
   */
  server: RunningServer
}

/** Marks a suite, or a file, that already has the hook. */
const interceptedMark: unique symbol = Symbol('understudy-api/vitest')

/** Adds a hook to the suite that is being collected, or to the file: its tests run with their simulator's handlers. */
function interceptSuite(): void {
  const { suite, file } = TestRunner.getCurrentSuite()
  const scope = suite ?? file
  if (interceptedMark in scope) return
  Object.defineProperty(scope, interceptedMark, { value: true })
  aroundEach<Partial<SimulatorFixtures>>(async (run, { simulator }) => {
    // Tests of another `test` function have no simulator. In a nested suite, the hook of the outer one ran already.
    if (!simulator || interception.isActive(simulator.handlers)) return run()
    await interception.run(simulator, run)
  })
}
