import type { Scenario } from '../scenarios/format/scenario.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'

/** Replaces the name of a fixture in a scenario by the world of the fixture. @param seed for its generated rows */
export async function inlineWorld(scenario: Scenario, seed?: number): Promise<Scenario> {
  const { world } = scenario
  if (typeof world !== 'string' || !fixtureNames.includes(world)) return scenario
  return { ...scenario, world: await readWorld(world, seed) }
}
