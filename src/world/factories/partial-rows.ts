import * as z from 'zod'
import { describeIssues, suggestFields } from '../../utils/schema-issues.ts'
import { UsageError } from '../../utils/usage-error.ts'
import type { AccessibleRows } from '../defaults.ts'
import type { KeyRow } from '../rows.ts'
import {
  activitySchema,
  dashboardItemSchema,
  keySchema,
  organizationSchema,
  pluginConfigSchema,
  pluginSchema,
  projectSchema,
  repositoryEntrySchema,
  userSchema,
} from '../schema/row-schemas.ts'
import { annotationSchema, worldSchema } from '../schema/world-schema.ts'
import { formatVersionIssues } from '../world-format.ts'
import type { RepositoryJson, WorldJson } from '../world-json.ts'

// What users of the factories see: it knows nothing of the generators, whose types not every compiler accepts.

/** The rows that are made, list by list: in the form of a world file, with every field. */
export interface FactoryRows extends AccessibleRows {
  keys: KeyRow
  repository: RepositoryJson
}

/** The name of a list of a world. */
export type ListName = keyof FactoryRows

/** All rows that were made. */
export type FactoryLists = { readonly [List in ListName]: FactoryRows[List][] }

/** Some fields of a row; one that is undefined counts as left out. */
export type PartialRow<List extends ListName> = {
  readonly [Field in keyof FactoryRows[List]]?: FactoryRows[List][Field] | undefined
}

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

const schemasByList: { readonly [List in ListName]: z.ZodType } = {
  organizations: organizationSchema,
  projects: projectSchema,
  users: userSchema,
  keys: keySchema,
  dashboard_items: dashboardItemSchema,
  repository: repositoryEntrySchema,
  plugins: pluginSchema,
  plugin_configs: pluginConfigSchema,
  annotations: annotationSchema,
  activity: activitySchema,
}

/** The schema of a row of which any field may be left out. */
export function partialRowSchema(list: ListName): z.ZodType {
  return (schemasByList[list] as z.ZodObject).partial()
}

/** A copy of a world that has no wrong field. @throws UsageError with every fault */
export function checkPartialWorld(world: PartialWorldJson): PartialWorldJson {
  const later = formatVersionIssues(world)
  if (later.length > 0) throw generateError(later)
  const lists = Object.fromEntries(
    (Object.keys(schemasByList) as ListName[]).map((list) => [
      list,
      z.array(partialRowSchema(list)).optional(),
    ]),
  )
  const parsed = (worldSchema as unknown as z.ZodObject)
    .extend(lists)
    .safeParse(world, suggestFields)
  if (parsed.success) return structuredClone(world)
  throw generateError(describeIssues(parsed.error, world))
}

export function generateError(faults: readonly string[]): UsageError {
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
  return new UsageError(`Failed to generate the world: it has ${count}. Nothing was made.`, faults)
}
