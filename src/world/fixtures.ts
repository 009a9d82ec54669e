import { type BuiltInWorld, openBuiltInWorld } from './built-in.ts'
import { type LoadedWorld, loadWorld, type UncheckedField } from './load.ts'
import type { WorldJson } from './world-json.ts'

/**
 * The world of a name, or a world as JSON, ready for use.
 *
 * @throws UsageError for a name that is no built-in fixture, or with every fault of the JSON
 */
export function openWorld(
  world: BuiltInWorld | WorldJson,
  free: readonly UncheckedField[] = [],
): LoadedWorld {
  return typeof world === 'object' && world !== null
    ? loadWorld(world, free)
    : openBuiltInWorld(world)
}
