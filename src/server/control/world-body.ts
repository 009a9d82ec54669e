import type { BodySchema } from '../../http/fields/body-fields.ts'
import type { SimulatorBase } from '../../sandbox/simulator-base.ts'
import { JsonText } from '../../utils/json.ts'
import { unknownWord } from '../../utils/usage-error.ts'
import type { BuiltInWorld, LoadedWorld } from '../../world/load/build-world.ts'
import { fixtureNames, isBuiltInWorld } from '../../world/load/built-in-worlds.ts'
import { exportWorldText } from '../../world/load/export-world.ts'
import { openWorld } from '../../world/load/load-world.ts'
import { readWorld } from '../../world/load/read-world.ts'
import { writtenWorldSchema } from '../../world/schema/world-schema.ts'
import type { WorldJson } from '../../world/world-json.ts'
import { uncheckedBody } from './operation.ts'

/** A whole world in the format of fixtures. Loading it reports every issue. */
export const worldBody: BodySchema<WorldJson> = uncheckedBody(writtenWorldSchema())

/**
 * Loads the world in the body of a request, or the fixture that it names. The factories add the rows that it leaves to
 * them.
 *
 * @throws UsageError with every issue of the world
 */
export async function loadWorldBody(
  body: WorldJson | string,
  simulator: SimulatorBase,
): Promise<LoadedWorld> {
  const world = await withGeneratedRows(await readFixture(body))
  return openWorld(world, simulator.sandbox.settingTracker.untracked)
}

/** Reads a fixture that is named in place of a world. The built-in ones are no files. */
async function readFixture(world: WorldJson | string): Promise<WorldJson | BuiltInWorld> {
  if (typeof world === 'object' && world !== null) return world
  if (!fixtureNames.includes(world)) {
    const expected = `one of ${fixtureNames.join(', ')}, or a world as JSON`
    throw unknownWord('find the world', fixtureNames, world, null, expected)
  }
  return isBuiltInWorld(world) ? world : readWorld(world)
}

/** The factories load on demand. */
async function withGeneratedRows(
  world: WorldJson | BuiltInWorld,
): Promise<WorldJson | BuiltInWorld> {
  if (typeof world === 'string' || !world.generate) return world
  const { generate } = await import('../../world/factories/generate.ts')
  return generate(world)
}

/** The current world as JSON. */
export function writeWorld(loaded: LoadedWorld): JsonText<WorldJson> {
  return new JsonText(exportWorldText(loaded, ''))
}
