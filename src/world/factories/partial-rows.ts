import { describeIssues, suggestFields } from '../../utils/schema-issues.ts'
import { UsageError } from '../../utils/usage-error.ts'
import type { AccessibleRows } from '../defaults.ts'
import type { LineNumbers } from '../load/line-numbers.ts'
import { countIssues, formatVersionIssues } from '../load/load-world.ts'
import type { KeyRow } from '../rows.ts'
import { findRepeatedIds } from '../schema/references.ts'
import { writtenWorldSchema } from '../schema/world-schema.ts'
import type { ListName } from '../table/tables.ts'
import type { RepositoryJson, RowJson, WorldJson } from '../world-json.ts'

// Public types. This file must not import the generators, because not every compiler accepts the types of faker.

/** The rows of the factories, by list: in the world format, with every field. */
export interface FactoryRows extends AccessibleRows {
  keys: KeyRow
  repository: RepositoryJson
}

export type FactoryLists = { readonly [List in ListName]: FactoryRows[List][] }

/** Some fields of a row. An undefined field counts as missing. */
export type PartialRow<List extends ListName> = {
  readonly [Field in keyof FactoryRows[List]]?: FactoryRows[List][Field] | undefined
}

/**
 * A world with partial rows, and the number of rows to generate in each list.
 *
 * @example { "annotations": [{ "content": "Launch" }], "generate": { "annotations": 100 } }
 */
export type PartialWorldJson = {
  readonly [Field in keyof WorldJson]: Field extends ListName
    ? readonly Partial<RowJson<Field>>[]
    : WorldJson[Field]
}

/** Checks the fields of a partial world and copies it. @throws UsageError with every issue */
export function checkPartialWorld(
  world: PartialWorldJson,
  lines: LineNumbers | undefined,
): PartialWorldJson {
  const refuse = (issues: readonly string[]) =>
    generateError(lines ? issues.map((issue) => lines.describe(issue)) : issues)
  const versionIssues = formatVersionIssues(world)
  if (versionIssues.length > 0) throw refuse(versionIssues)
  const parsed = writtenWorldSchema().safeParse(world, suggestFields)
  if (parsed.success) return structuredClone(world)
  throw refuse([...describeIssues(parsed.error, world), ...findRepeatedIds(world)])
}

export function generateError(issues: readonly string[]): UsageError {
  return new UsageError(
    `Failed to generate the world: ${countIssues(issues)}. Nothing was generated.`,
    issues,
  )
}
