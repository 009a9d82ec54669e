import { randomFraction } from '../../utils/seeded-random.ts'
import { worldLists } from '../table/lists.ts'
import type { WorldJson } from '../world-json.ts'
import type { AddedIds, NewRows } from './row-changes.ts'
import type { WorldAccess } from './world-access.ts'

/** How many rows the factories shall add to each list. */
export type RowCounts = { readonly [List in GeneratedList]?: number }

/** The lists that more rows can be made for. */
export const generatedLists = [
  'projects',
  'users',
  'dashboard_items',
  'plugins',
  'plugin_configs',
  'annotations',
] as const

type GeneratedList = (typeof generatedLists)[number]

/** A world that rows are made for. */
interface GrowingWorld {
  readonly world: WorldAccess
  readonly clock: { iso(): string }
  addRows(rows: NewRows): AddedIds
  fork(): GrowingWorld
}

/**
 * Adds believable rows to a world as it is: they belong to the projects and people that are there, and lie around
 * its time. The same world, with the same seed, gets the same rows; asked again, it gets others. All of them are
 * added, or none.
 *
 * @param generate the factories
 * @throws UsageError where a world has nothing that such rows can belong to
 */
export function generateRows(
  simulator: GrowingWorld,
  counts: RowCounts,
  generate: (world: WorldJson) => WorldJson,
): AddedIds {
  // What is named comes before what names it: so each list is made for a world that has those before it.
  const lists = worldLists.filter((name) => name in counts) as GeneratedList[]
  const draft = lists.length > 1 ? simulator.fork() : simulator
  const rows: Partial<Record<GeneratedList, readonly object[]>> = {}
  for (const list of lists) {
    const there = existingRows(draft.world, list)
    const seed = seedOf(draft.world, list)
    const wanted = { seed, now: simulator.clock.iso(), generate: { [list]: counts[list] ?? 0 } }
    const filled = generate({ ...there, ...wanted })
    const fresh = ((filled[list] ?? []) as readonly object[]).slice(there[list]?.length ?? 0)
    rows[list] = fresh.map(withoutId)
    if (list !== lists.at(-1)) draft.addRows({ [list]: rows[list] })
  }
  return simulator.addRows(rows)
}

/** What rows follow from: no id is given twice, and so no rows come again. */
function seedOf({ seed, next_ids }: WorldAccess, list: GeneratedList): number {
  return Math.floor(randomFraction(seed, `generate ${list}`, next_ids[list]) * 2 ** 31)
}

/** What rows of a list can belong to. The longest list is named by none, and stays out. */
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

/** Which ids are free only the world knows. */
function withoutId(row: object): object {
  const { id: _, revision: __, ...rest } = row as { id?: number; revision?: number }
  return rest
}
