import { countIssues, issuesError } from '../../utils/issues.ts'
import { isObject } from '../../utils/json.ts'
import { describeIssues, suggestFields } from '../../utils/schema-issues.ts'
import type { Issue, UsageError } from '../../utils/usage-error.ts'
import type { AccessibleRows } from '../defaults.ts'
import { formatVersionIssues } from '../load/load-world.ts'
import type { KeyRow } from '../rows.ts'
import { writtenWorldSchema } from '../schema/world-schema.ts'
import type { ListName } from '../tables.ts'
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

/** A partial world that was checked. */
interface CheckedWorld {
  /** A copy, without the fields that have issues */
  readonly valid: PartialWorldJson
  /** What is wrong with its fields */
  readonly issues: readonly Issue[]
  /** The lists that lack rows or ids because of the issues */
  readonly incomplete: ReadonlySet<string>
}

/** Checks the fields of a partial world and copies it. @throws UsageError for another format, or no world at all */
export function checkPartialWorld(world: PartialWorldJson): CheckedWorld {
  const versionIssues = formatVersionIssues(world)
  if (versionIssues.length > 0) throw generateError(versionIssues)
  const parsed = writtenWorldSchema().safeParse(world, suggestFields)
  if (parsed.success) return { valid: structuredClone(world), issues: [], incomplete: new Set() }
  const issues = describeIssues(parsed.error, world, 'world')
  if (!isObject(world)) throw generateError(issues)
  const rest = copyRows(world)
  const incomplete = new Set<string>()
  for (const issue of parsed.error.issues) {
    const isOfNames = issue.code === 'unrecognized_keys' && issue.path.length < 3
    const paths = isOfNames ? issue.keys.map((name) => [...issue.path, name]) : [issue.path]
    for (const path of paths) {
      removeField(rest, path.slice(0, 3))
      const [list, , field = 'id'] = path[0] === 'generate' ? path.slice(1) : path
      if (field === 'id') incomplete.add(String(list))
    }
  }
  return { valid: structuredClone(rest), issues, incomplete }
}

function copyRows(world: object): object {
  const entries = Object.entries(world).map(([name, value]) => {
    if (Array.isArray(value)) return [name, value.map((row) => ({ ...row }))]
    return [name, isObject(value) ? { ...value } : value]
  })
  return Object.fromEntries(entries)
}

/** Removes a field of a copy. A row becomes empty, so that later rows stay at their indexes. */
function removeField(copy: object, [name = '', ...rest]: readonly PropertyKey[]): void {
  const values = copy as Record<PropertyKey, unknown>
  if (rest.length > 0) removeField(Object(values[name]), rest)
  else if (Array.isArray(copy)) values[name] = {}
  else delete values[name]
}

export function generateError(issues: readonly Issue[]): UsageError {
  return issuesError(
    `Failed to generate the world: ${countIssues(issues)}. Nothing was generated.`,
    issues,
  )
}
