import { aroundEach, TestRunner } from 'vitest'
import type { SimulatorFixtures } from '../testing/fixtures.ts'
import { interception } from '../testing/interception.ts'

/** On a suite, or a file, whose tests run in the network of their simulators. */
const interceptedMark: unique symbol = Symbol('understudy-api/vitest')

/** Tests of the suite that is being collected run in the network of their simulators; at the top, those of the file. */
export function interceptSuite(): void {
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
