import * as z from 'zod'
import { UsageError } from '../../usage-error.ts'
import { faultsOf } from '../faults.ts'
import { formatFaults } from '../format-version.ts'
import { dashboardItem, key, organization, project, user } from '../schema/people.ts'
import { activity, plugin, pluginConfig, repositoryEntry } from '../schema/plugins.ts'
import { annotation, worldSchema } from '../schema/world.ts'
import type { WorldJson } from '../world-json.ts'
import type { ListName } from './made.ts'

/**
 * A world whose rows may leave out any field, and which may say how many more rows of a list it wants.
 *
 * @example { "annotations": [{ "content": "Launch" }], "generate": { "annotations": 100 } }
 */
export type PartialWorldJson = {
  readonly [Field in keyof WorldJson]: Field extends ListName
    ? readonly Partial<RowOf<Field>>[]
    : WorldJson[Field]
}

type RowOf<List extends ListName> = NonNullable<WorldJson[List]>[number]

const rowSchemas: { readonly [List in ListName]: z.ZodType } = {
  organizations: organization,
  projects: project,
  users: user,
  keys: key,
  dashboard_items: dashboardItem,
  repository: repositoryEntry,
  plugins: plugin,
  plugin_configs: pluginConfig,
  annotations: annotation,
  activity: activity,
}

/** The schema of a row of which any field may be left out. */
export function partialRow(list: ListName): z.ZodType {
  return (rowSchemas[list] as z.ZodObject).partial()
}

/** A copy of a world that has no wrong field. @throws UsageError with every fault */
export function checkedPartial(world: PartialWorldJson): PartialWorldJson {
  const later = formatFaults(world)
  if (later.length > 0) throw failedToGenerate(later)
  const lists = Object.fromEntries(
    (Object.keys(rowSchemas) as ListName[]).map((list) => [
      list,
      z.array(partialRow(list)).optional(),
    ]),
  )
  const parsed = (worldSchema as unknown as z.ZodObject).extend(lists).safeParse(world)
  if (parsed.success) return structuredClone(world)
  throw failedToGenerate(faultsOf(parsed.error, world))
}

export function failedToGenerate(faults: readonly string[]): UsageError {
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
  return new UsageError(`Failed to generate the world: it has ${count}. Nothing was made.`, faults)
}
