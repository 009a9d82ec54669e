import { type BuiltInWorld, openBuiltIn } from './built-in.ts'
import { type FreeWord, type LoadedWorld, loadWorld } from './load.ts'
import type { WorldJson } from './world-json.ts'

/**
 * The world of a name, or a world as JSON, ready for use.
 *
 * @throws UsageError for a name that is no built-in fixture, or with every fault of the JSON
 */
export function openWorld(
  world: BuiltInWorld | WorldJson,
  free: readonly FreeWord[] = [],
): LoadedWorld {
  return typeof world === 'object' && world !== null ? loadWorld(world, free) : openBuiltIn(world)
}
