import { randomFraction } from '../../utils/seeded-random.ts'
import { worldLists } from '../tables.ts'
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
  fork(): GrowingWorld
}

/**
 * Adds realistic rows to a world: all of them or none. They reference existing projects and users, and their dates are
 * around the time of the clock. The same world and seed give the same rows. A second call adds different rows.
 *
 * @param generate the factories
 * @throws UsageError if the world has no rows that the new rows could reference
 */
export function generateRows(
  simulator: GrowingWorld,
  counts: RowCounts,
  generate: (world: WorldJson) => WorldJson,
): AddedIds {
  // Referenced lists come first. The rows of each list are generated in a world with the rows before them.
  const lists = worldLists.filter((name) => name in counts) as GeneratedList[]
  const draft = lists.length > 1 ? simulator.fork() : simulator
  const rows: Partial<Record<GeneratedList, readonly object[]>> = {}
  for (const list of lists) {
    const existing = existingRows(draft.world, list)
    const completed = generate({
      ...existing,
      seed: deriveSeed(draft.world, list),
      now: simulator.clock.iso(),
      generate: { [list]: counts[list] ?? 0 },
    })
    const existingCount = existing[list]?.length ?? 0
    rows[list] = ((completed[list] ?? []) as readonly object[]).slice(existingCount).map(withoutId)
    if (list !== lists.at(-1)) draft.addRows({ [list]: rows[list] })
  }
  return simulator.addRows(rows)
}

/** Depends on the next id, which never repeats, so that each call generates different rows. */
function deriveSeed({ seed, next_ids }: WorldAccess, list: GeneratedList): number {
  return Math.floor(randomFraction(seed, `generate ${list}`, next_ids[list]) * 2 ** 31)
}

/** The rows that a generated row can reference. Without annotations: they are many, and no row references them. */
function existingRows(world: WorldAccess, list: GeneratedList): WorldJson {
  return {
    organizations: world.organizations.list(),
    projects: world.projects.list(),
    users: world.users.list(),
    dashboard_items: world.dashboard_items.list(),
    ...(list.startsWith('plugin') && {
      plugins: world.plugins.list(),
      plugin_configs: world.plugin_configs.list(),
    }),
  }
}

/** The world itself assigns ids and revisions. */
function withoutId(row: object): object {
  const { id: _, revision: __, ...rest } = row as { id?: number; revision?: number }
  return rest
}
