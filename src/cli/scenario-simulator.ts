import { replayError } from '../scenarios/format/check-scenario.ts'
import type { Scenario } from '../scenarios/format/scenario.ts'
import { offerFixture } from '../simulator/sandboxes/offer-fixture.ts'
import { createSimulator, type Simulator } from '../simulator.ts'
import { unknownWord } from '../utils/errors.ts'
import { fixtureNames } from '../world/load/read-world.ts'

/**
 * Creates a simulator that can replay a scenario, and knows the fixture that it starts with.
 *
 * @param world the world of a scenario that names none
 * @throws UsageError if no fixture has the name of the world
 */
export async function simulatorFor(
  scenario: Pick<Scenario, 'world'>,
  world?: Scenario['world'],
): Promise<Simulator> {
  const start = scenario.world ?? world
  if (typeof start === 'string' && !fixtureNames.includes(start)) {
    const { reason } = unknownWord('replay', fixtureNames, start)
    throw replayError([{ path: ['world'], text: reason }])
  }
  const simulator = createSimulator()
  await offerFixture(simulator.sandboxes, start)
  return simulator
}
