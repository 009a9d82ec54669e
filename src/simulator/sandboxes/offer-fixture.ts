import type { Sandboxes } from './sandboxes.ts'

/**
 * Adds a fixture of the package, so that a sandbox or a scenario can start from it. Other names, and worlds, are left
 * alone. It reads a file, so it runs on Node only.
 *
 * @param world the name of a world, a world, or nothing
 */
export async function offerFixture(
  sandboxes: Pick<Sandboxes<unknown>, 'hasSource' | 'addFixture'>,
  world: unknown,
): Promise<void> {
  if (typeof world !== 'string' || sandboxes.hasSource(world)) return
  const { fixtureNames, readWorld } = await import('../../world/load/read-world.ts')
  if (fixtureNames.includes(world)) sandboxes.addFixture(world, await readWorld(world))
}
