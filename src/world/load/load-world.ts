import type * as z from 'zod'
import { resolveBySetting } from '../../settings/by-setting.ts'
import type { SettingValues } from '../../settings/setting.ts'
import { countIssues, issuesError, issuesWithin, maxIssues, placeOf } from '../../utils/issues.ts'
import { isObject } from '../../utils/json.ts'
import { describeIssues, schemaIssues, suggestFields } from '../../utils/schema-issues.ts'
import { type Issue, inspectValue, type UsageError } from '../../utils/usage-error.ts'
import { version } from '../../utils/version.ts'
import { entities } from '../entities/entities.ts'
import type { Field } from '../entities/field.ts'
import type { Rows } from '../rows.ts'
import { findReferenceIssues } from '../schema/references.ts'
import { rowSchemas, worldSchema } from '../schema/world-schema.ts'
import { createTables, type ListName, type WorldRows, worldLists } from '../tables.ts'
import { formatVersion } from '../world-format.ts'
import type { WorldJson } from '../world-json.ts'
import {
  type BuiltInWorld,
  completeRow,
  type LoadedWorld,
  lastRevision,
  loadedWorld,
} from './build-world.ts'
import { openBuiltInWorld } from './built-in-worlds.ts'
import { createRowReader } from './row-reader.ts'

/**
 * The settings that a world is for: some let requests write any text where others know a few words. `unknown` allows it
 * where one of them could. Without settings, all words are known.
 */
type WorldSettings = SettingValues | 'unknown' | undefined

/**
 * Checks a world and builds its tables: all of it or nothing. Rows share nothing with the world.
 *
 * @throws UsageError that lists every issue with its path
 * @example loadWorld({ annotations: [{ id: 1, scope: 'team' }] })
 * // annotations[0].scope: expected one of "dashboard_item", …, got "team"
 */
export function loadWorld(json: WorldJson, settings?: WorldSettings): LoadedWorld {
  const { rows, issues } = readWorldJson(json, settings)
  if (issues.length > 0) throw worldError(issues)
  return loadedWorld(json, createTables(rows, lastRevision(json)))
}

/** Opens a built-in world by name, or loads a world. @throws UsageError for an unknown name, or with every issue */
export function openWorld(world: BuiltInWorld | WorldJson, settings?: WorldSettings): LoadedWorld {
  return typeof world === 'object' && world !== null
    ? loadWorld(world, settings)
    : openBuiltInWorld(world)
}

/** Finds every issue of a world, up to {@link maxIssues}. */
export function findWorldIssues(json: WorldJson, settings?: WorldSettings): Issue[] {
  return readWorldJson(json, settings).issues.slice(0, maxIssues)
}

/** @param issues at least one */
function worldError(issues: readonly Issue[]): UsageError {
  const message = `Failed to load the world: ${countIssues(issues)}. Nothing was loaded.`
  return issuesError(message + generateHint(issues, 'the world'), issues)
}

/** Says how to complete the rows of a world. @returns an empty text if no row has a missing field */
export function generateHint(issues: readonly Issue[], world: string): string {
  const isOfRow = ({ path }: Issue) => typeof path[1] === 'number' && path.length < 4
  if (!issues.some((issue) => issue.kind === 'missing' && isOfRow(issue))) return ''
  return ` Add "generate": {} to ${world} to generate the missing fields of its rows.`
}

/** Checks the format version before anything else, because a later format can give the same fields another meaning. */
export function formatVersionIssues(world: unknown): Issue[] {
  const value = (world as { format_version?: unknown } | null | undefined)?.format_version
  if (typeof value !== 'number' || !Number.isInteger(value) || value <= formatVersion) return []
  const text =
    `expected at most ${formatVersion}, got ${inspectValue(value)}. A later version of ` +
    `understudy-api wrote this file. Update understudy-api ${version}, or save the world with this version.`
  return [{ path: ['format_version'], text }]
}

interface ReadWorld {
  /** Complete if there are no issues */
  readonly rows: WorldRows
  readonly issues: Issue[]
}

function readWorldJson(json: WorldJson, settings: WorldSettings): ReadWorld {
  const issues = formatVersionIssues(json)
  const rows = Object.fromEntries(worldLists.map((list) => [list, []])) as unknown as {
    [List in ListName]: Rows[List][]
  }
  if (issues.length > 0) return { rows, issues }
  const isPartial = isObject(json) && Boolean(json.generate)
  issues.push(...headIssues(json))
  for (const list of isObject(json) ? worldLists : []) {
    if (Array.isArray(json[list])) readList(list, json[list], rows, issues, settings)
  }
  // The factories add what rows lack.
  const found = isPartial ? issues.filter(({ kind }) => kind !== 'missing') : issues
  if (!isObject(json)) return { rows, issues: found }
  if (!isPartial) {
    // A field of a wrong type is one issue, not two.
    const places = new Set(found.map(placeOf))
    const dangling = findReferenceIssues(json)
    found.push(...dangling.filter((issue) => !places.has(placeOf(issue))))
  } else if (found.length === 0) {
    const text =
      'the factories must complete this world first: ' +
      "createSimulator({ world: generate(world) }), with generate from 'understudy-api/factories'."
    found.push({ path: ['generate'], text })
  }
  return { rows, issues: found }
}

/** The issues of everything but the rows. */
function headIssues(json: WorldJson): Issue[] {
  const lists = isObject(json) ? worldLists.filter((list) => Array.isArray(json[list])) : []
  const empty = Object.fromEntries(lists.map((list) => [list, []]))
  const head = isObject(json) ? { ...json, ...empty } : json
  const { error } = worldSchema().safeParse(head, suggestFields)
  return error ? describeIssues(error, json, 'world') : []
}

/** Reads the rows of a list. The schema explains those that are not valid. */
function readList(
  list: ListName,
  written: readonly unknown[],
  rows: { readonly [List in ListName]: object[] },
  issues: Issue[],
  settings: WorldSettings,
): void {
  const allowsAnyText = ({ choices }: Field): boolean => {
    if (!choices || settings === undefined) return false
    return settings === 'unknown' || resolveBySetting(choices, settings) === 'any'
  }
  const fields: Readonly<Record<PropertyKey, Field>> = entities[list].fields
  const schema = rowSchemas()[list]
  const read = createRowReader(entities[list], allowsAnyText)
  const organizations = new Map(
    (rows.projects as Rows['projects'][]).map(({ id, organization }) => [id, organization]),
  )
  const organizationOf = (project: number): string => organizations.get(project) ?? ''
  for (const [index, row] of written.entries()) {
    const values = read(row)
    if (values) rows[list].push(completeRow(list, values, { index, organizationOf }))
    else if (issues.length < maxIssues) {
      const found = schemaIssues(schema, row, 'world', {
        isAllowed: ([name = ''], value) =>
          typeof value === 'string' && fields[name] !== undefined && allowsAnyText(fields[name]),
        isNullable: (path) => allowsNull(schema, path),
      })
      issues.push(...issuesWithin([list, index], found))
    }
  }
}

function allowsNull(schema: z.ZodType, path: readonly PropertyKey[]): boolean {
  let inner: z.ZodType | undefined = schema
  for (const step of path) inner = inner && childSchema(inner, step)
  return inner?.safeParse(null).success ?? false
}

/** The schema of a field or of an item; undefined for any other schema. */
function childSchema(schema: z.ZodType, step: PropertyKey): z.ZodType | undefined {
  const { innerType, shape, element } = schema.def as {
    innerType?: z.ZodType
    shape?: Readonly<Record<PropertyKey, z.ZodType>>
    element?: z.ZodType
  }
  if (innerType) return childSchema(innerType, step)
  return shape?.[step] ?? element
}
