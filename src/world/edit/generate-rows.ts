import type { WorldJson } from '../world-json.ts'
import type { AddedIds, NewRows } from './edit-rows.ts'

/** The number of rows to generate in each list. */
export type RowCounts = { readonly [List in GeneratedList]?: number }

/** The lists to which generated rows can be added. */
export const generatedLists = [
  'projects',
  'users',
  'dashboard_items',
  'plugins',
  'plugin_configs',
  'annotations',
] as const

type GeneratedList = (typeof generatedLists)[number]

interface GrowingWorld {
  readonly world: { toJSON(): WorldJson; add(rows: NewRows): AddedIds }
  readonly clock: { iso(): string }
}

/**
 * Adds realistic rows to a world: all of them or none. They reference existing projects and users, and their dates are
 * around the time of the clock. The same world and seed give the same rows. A second call adds different rows, because
 * ids never repeat.
 *
 * @param generate the factories
 * @throws UsageError if the world has no rows that the new rows could reference
 */
export function generateRows(
  simulator: GrowingWorld,
  counts: RowCounts,
  generate: (world: WorldJson) => WorldJson,
): AddedIds {
  // Annotations and activity can be many, and no row refers to them.
  const existing: WorldJson = { ...simulator.world.toJSON(), annotations: [], activity: [] }
  const grown = generate({ ...existing, now: simulator.clock.iso(), generate: counts })
  const lists = generatedLists.filter((list) => counts[list] !== undefined)
  const added = lists.map((list) => [list, grown[list]?.slice(existing[list]?.length ?? 0)])
  return simulator.world.add(Object.fromEntries(added))
}
