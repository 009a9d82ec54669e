import { completeWorld, isFixture } from '../../world/load/load-world.ts'
import type { Sandboxes } from './sandboxes.ts'

/**
 * Adds a fixture of the package, so that a sandbox or a scenario can start from it. Other names, and worlds, are left
 * alone.
 *
 * @param world the name of a world, a world, or nothing
 */
export async function offerFixture(
  sandboxes: Pick<Sandboxes<unknown>, 'hasSource' | 'addFixture'>,
  world: unknown,
): Promise<void> {
  if (!isFixture(world) || sandboxes.hasSource(world)) return
  sandboxes.addFixture(world, await completeWorld(world))
}
