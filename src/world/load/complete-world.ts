import type { PartialWorldJson } from '../factories/partial-rows.ts'
import type { WorldJson } from '../world-json.ts'
import type { FixtureName } from './build-world.ts'
import { readFixture } from './built-in-worlds.ts'

/**
 * Returns a world, or the one that a fixture names, with the rows that it asks the factories for. The factories are large,
 * so they load only then.
 *
 * @param seed the seed of generated rows; default: the seed of the world
 * @throws UsageError for a world that the factories cannot complete
 */
export async function completeWorld(
  world: FixtureName | PartialWorldJson,
  seed?: number,
): Promise<WorldJson> {
  const json = typeof world === 'string' ? await readFixture(world) : world
  if (!json?.generate) return json as WorldJson
  const { generate } = await import('../factories/generate.ts')
  return generate(json, seed === undefined ? {} : { seed })
}
