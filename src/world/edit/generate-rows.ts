import type { WorldJson } from '../world-json.ts'
import type { AddedIds, NewRows } from './add-rows.ts'
import type { WorldAccess } from './world-access.ts'

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
  readonly world: WorldAccess
  readonly clock: { iso(): string }
  addRows(rows: NewRows): AddedIds
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
  const { world, clock } = simulator
  const { seed, next_ids } = world
  const existing = existingRows(world)
  const grown = generate({ ...existing, seed, next_ids, now: clock.iso(), generate: counts })
  const lists = generatedLists.filter((list) => counts[list] !== undefined)
  const added = lists.map((list) => {
    const rows = grown[list] ?? []
    return [list, rows.slice(existing[list]?.length ?? 0).map(withoutRevision)]
  })
  return simulator.addRows(Object.fromEntries(added))
}

/** The rows that a generated row can reference. Without annotations: they are many, and no row references them. */
function existingRows(world: WorldAccess): WorldJson {
  return {
    organizations: world.organizations.list(),
    projects: world.projects.list(),
    users: world.users.list(),
    dashboard_items: world.dashboard_items.list(),
    plugins: world.plugins.list(),
    plugin_configs: world.plugin_configs.list(),
    keys: [],
  }
}

/** The world itself counts the writes to plugins. */
function withoutRevision(row: object): object {
  const { revision: _, ...rest } = row as { revision?: number }
  return rest
}
