import type { PartialWorldJson } from '../world/factories/partial-world.ts'
import type { BuiltInWorld } from '../world/fixtures.ts'
import type { WorldJson } from '../world/world-json.ts'

/**
 * A world whose rows are all there. The factories are loaded where it leaves some to them, and only then: they
 * weigh more than all the rest.
 *
 * @param seed what generated rows follow from; by default the world's own seed
 * @throws UsageError for a world that cannot be filled
 */
export async function filledWorld(
  world: BuiltInWorld | PartialWorldJson,
  seed?: number,
): Promise<BuiltInWorld | WorldJson> {
  if (typeof world === 'string' || world?.generate === undefined) return world as WorldJson
  const { generate } = await import('../factories.ts')
  return generate(world, seed === undefined ? {} : { seed })
}
