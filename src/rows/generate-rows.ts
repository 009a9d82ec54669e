import type { WorldAccess } from '../world/access.ts'
import type { WorldJson } from '../world/world-json.ts'
import { worldLists } from '../world/world-lists.ts'
import type { AddedIds, NewRows } from './new-rows.ts'

/** How many rows the factories shall add to each list. */
export type RowCounts = { readonly [List in GrownList]?: number }

/** The lists that more rows can be made for. */
export const grownLists = [
  'projects',
  'users',
  'dashboard_items',
  'plugins',
  'plugin_configs',
  'annotations',
] as const

type GrownList = (typeof grownLists)[number]

/** A world that rows are made for. */
interface Grown {
  readonly world: WorldAccess
  readonly clock: { iso(): string }
  addRows(rows: NewRows): AddedIds
}

/**
 * Adds believable rows to a world as it is: they belong to the projects and people that are there, and lie around
 * its time. Asked again, it makes others.
 *
 * @param generate the factories
 * @throws UsageError where a world has nothing that such rows can belong to
 */
export async function generateRows(
  simulator: Grown,
  counts: RowCounts,
  generate: (world: WorldJson) => Promise<WorldJson>,
): Promise<AddedIds> {
  const { world, clock } = simulator
  const added: Record<string, readonly (number | string)[]> = {}
  // What is named comes before what names it: list by list, each for the world as it then is.
  for (const list of worldLists.filter((name) => name in counts) as GrownList[]) {
    const there = around(world, list)
    // Another number each time, as long as nothing is taken out.
    const seed = world[list].count + 1
    const wanted = { seed, now: clock.iso(), generate: { [list]: counts[list] ?? 0 } }
    const filled = await generate({ ...there, ...wanted })
    const fresh = ((filled[list] ?? []) as readonly object[]).slice(there[list]?.length ?? 0)
    added[list] = simulator.addRows({ [list]: fresh.map(withoutId) })[list] ?? []
  }
  return added
}

/** What rows of a list can belong to. The longest list is named by none, and stays out. */
function around(world: WorldAccess, list: GrownList): WorldJson {
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
