import { type BuiltInWorld, openBuiltInWorld } from '../world/built-in.ts'
import type { PartialWorldJson } from '../world/factories/partial-world.ts'
import type { LoadedWorld, UncheckedField } from '../world/load.ts'
import type { WorldJson } from '../world/world-json.ts'

/**
 * The world that a page begins with. What weighs more than all the rest is loaded where it is needed, and only then:
 * the checks for a world as JSON, the factories where it leaves rows to them.
 *
 * @param seed what generated rows follow from; by default the world's own seed
 * @throws UsageError for a world that cannot be filled, or has faults
 */
export async function openPageWorld(
  world: BuiltInWorld | PartialWorldJson,
  free: readonly UncheckedField[],
  seed?: number,
): Promise<LoadedWorld> {
  if (typeof world !== 'object' || world === null) return openBuiltInWorld(world)
  const { loadWorld } = await import('../world/load.ts')
  return loadWorld(
    world.generate === undefined ? (world as WorldJson) : await generateRows(world, seed),
    free,
  )
}

async function generateRows(world: PartialWorldJson, seed?: number): Promise<WorldJson> {
  const { generate } = await import('../factories.ts')
  return generate(world, seed === undefined ? {} : { seed })
}
