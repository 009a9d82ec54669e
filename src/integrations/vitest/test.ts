import { aroundEach, test as plain, type TestAPI, TestRunner } from 'vitest'
import { createSimulator } from '../../simulator.ts'
import { createAs, type SimulatorFixtures } from '../testing/fixtures.ts'
import { interception } from '../testing/interception.ts'

/** Declares a test as Vitest does. Its suite has the hook by then, also where this module is kept from file to file. */
const collector: TestAPI = TestRunner.createTaskCollector(function (
  this: ThisParameterType<TestAPI['fn']>,
  ...declaration: Parameters<TestAPI['fn']>
) {
  interceptSuite()
  return plain.fn.apply(this, declaration)
})

/**
 * Vitest's `test`, in which a simulator answers what is asked by any client, on any origin: a new one for each test,
 * its hooks included, also where tests run at once. Other requests pass to this machine, and fail elsewhere.
 *
 * @example
 * const test = base.extend({ simulatorOptions: { world: 'empty' } }) // in a suite: test.override
 * test('no rows are listed', async ({ as }) => {
 *   const answer = await fetch('https://app.example.com/api/projects/', { headers: as('all').headers })
 * })
 */
export const test: TestAPI<SimulatorFixtures> = collector.extend<SimulatorFixtures>({
  simulatorOptions: {},
  simulator: ({ simulatorOptions }, use) => use(createSimulator(simulatorOptions)),
  as: ({ simulator }, use) => use(createAs(simulator)),
})

/** On a suite, or a file, whose tests run in the network of their simulators. */
const interceptedMark: unique symbol = Symbol('understudy-api/vitest')

/** Tests of the suite that is being collected run in the network of their simulators; at the top, those of the file. */
function interceptSuite(): void {
  const { suite, file } = TestRunner.getCurrentSuite()
  const place = suite ?? file
  if (interceptedMark in place) return
  Object.defineProperty(place, interceptedMark, { value: true })
  aroundEach<Partial<SimulatorFixtures>>(async (run, { simulator }) => {
    // Tests of others have none. In a suite within a suite the outer one has begun it.
    if (!simulator || interception.isActive(simulator.handlers)) return run()
    await interception.run(simulator.handlers, run)
  })
}
