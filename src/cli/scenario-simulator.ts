import type { Scenario } from '../scenarios/format/scenario.ts'
import { offerFixture } from '../simulator/sandboxes/offer-fixture.ts'
import { createSimulator, type Simulator } from '../simulator.ts'

/**
 * Creates a simulator that can replay a scenario, and knows the fixture that it starts with.
 *
 * @param world the world of a scenario that names none
 */
export async function simulatorFor(
  scenario: Pick<Scenario, 'world'>,
  world?: Scenario['world'],
): Promise<Simulator> {
  const simulator = createSimulator()
  await offerFixture(simulator.sandboxes, scenario.world ?? world)
  return simulator
}
