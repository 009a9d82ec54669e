import * as z from 'zod'
import { resolveByPolicy } from '../../policies/by-policy.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { countIssues, issuesError, maxIssues, placeOf } from '../../utils/issues.ts'
import { isObject } from '../../utils/json.ts'
import { describeIssues, type IssueOptions, suggestFields } from '../../utils/schema-issues.ts'
import { finish, type Steps, stepSize } from '../../utils/steps.ts'
import { type Issue, inspectValue, type UsageError } from '../../utils/usage-error.ts'
import { version } from '../../utils/version.ts'
import { entities } from '../entities/entities.ts'
import type { Entity } from '../entities/entity.ts'
import type { RowPlace } from '../entities/field.ts'
import { worldReferenceIssues } from '../schema/references.ts'
import { rowSchemas, worldSchema } from '../schema/world-schema.ts'
import { Table } from '../table/table.ts'
import { createTables, type LazyWorldRows, worldLists } from '../table/tables.ts'
import { formatVersion } from '../world-format.ts'
import type { WorldJson } from '../world-json.ts'
import {
  type BuiltInWorld,
  type LoadedWorld,
  lastRevision,
  loadedWorld,
  organizationsIn,
  rowsToComplete,
} from './build-world.ts'
import { openBuiltInWorld } from './built-in-worlds.ts'
import { hasId, isChecked, isMarkedValid, toParsedRow } from './checked-rows.ts'
import { lineNumbersOf } from './line-numbers.ts'

/**
 * The policies that a world is for: some let requests write any text where others know a few words. `unknown` allows it
 * where one of them could. Without policies, all words are known.
 */
type WorldPolicies = PolicySettings | 'unknown' | undefined

/**
 * Checks a world and builds its tables: all of it or nothing.
 *
 * @param unchecked fields that can hold any text, because the policies let requests write any text
 * @throws UsageError that lists every issue with its path
 * @example loadWorld({ annotations: [{ id: 1, scope: 'team' }] })
 * // annotations[0].scope: expected one of "dashboard_item", …, got "team"
 */
export function loadWorld(json: WorldJson, policies?: WorldPolicies): LoadedWorld {
  finish(checkWorld(json, policies, false))
  const { annotations, ...rest } = json
  const copy = structuredClone(rest)
  // Annotations are flat, and completed as copies.
  return finish(buildWorldInSteps(annotations ? { ...copy, annotations: [...annotations] } : copy))
}

/**
 * Loads a world in steps, indexes included, so that a server can answer in between.
 *
 * @param json a world that nothing else uses: its rows are taken over. `checkRows` can have checked them before
 * @throws UsageError as `loadWorld` does
 * @example sandbox.replace(await finishBetweenEvents(loadWorldInSteps(JSON.parse(text))))
 */
export function* loadWorldInSteps(json: WorldJson, policies?: WorldPolicies): Steps<LoadedWorld> {
  if (!isMarkedValid(json)) yield* checkWorld(json, policies, true)
  return yield* buildWorldInSteps(json)
}

function* checkWorld(json: WorldJson, policies: WorldPolicies, isTaken: boolean): Steps<void> {
  const issues = yield* findIssues(json, policies, isTaken)
  if (issues.length > 0) throw worldError(issues)
}

/** @param issues at least one */
export function worldError(issues: readonly Issue[]): UsageError {
  const message = `Failed to load the world: ${countIssues(issues)}. Nothing was loaded.`
  return issuesError(message + generateHint(issues, 'the world'), issues)
}

/** Says how to complete the rows of a world. @returns an empty text if no row has a missing field */
export function generateHint(issues: readonly Issue[], world: string): string {
  const isOfRow = ({ path }: Issue) => typeof path[1] === 'number' && path.length < 4
  if (!issues.some((issue) => issue.kind === 'missing' && isOfRow(issue))) return ''
  return ` Add "generate": {} to ${world} to generate the missing fields of its rows.`
}

/** Finds every issue of a world, up to {@link maxIssues}. */
export function findWorldIssues(json: WorldJson, policies?: WorldPolicies): Issue[] {
  return finish(findIssues(json, policies))
}

/**
 * The same in steps.
 *
 * @param isTaken whether `checkRows` can have checked rows before
 * @param unknown lists to whose rows any reference may lead
 */
export function* findIssues(
  json: WorldJson,
  policies?: WorldPolicies,
  isTaken = false,
  unknown: Iterable<string> = [],
): Steps<Issue[]> {
  const issues: Issue[] = []
  const lines = lineNumbersOf(json)
  for (const issue of worldIssues(json, policies, isTaken, unknown)) {
    if (issue === undefined) yield
    else issues.push(lines?.locate(issue) ?? issue)
    if (issues.length === maxIssues) break
  }
  return issues
}

/** Issues, or undefined for the end of a step */
type Issues = Generator<Issue | undefined>

function* worldIssues(
  json: WorldJson,
  policies: WorldPolicies,
  isTaken: boolean,
  unknown: Iterable<string>,
): Issues {
  const versionIssues = formatVersionIssues(json)
  yield* versionIssues
  if (versionIssues.length > 0) return
  const isPartial = isObject(json) && Boolean(json.generate)
  const places = new Set<string>()
  for (const issue of worldSchemaIssues(json, policies, isTaken)) {
    // The factories add what rows lack.
    if (isPartial && issue?.kind === 'missing') continue
    if (issue !== undefined) places.add(placeOf(issue))
    yield issue
  }
  if (!isObject(json)) return
  if (!isPartial) {
    // A field of a wrong type is one issue, not two.
    for (const issue of worldReferenceIssues(json, unknown)) {
      if (issue === undefined || !places.has(placeOf(issue))) yield issue
    }
  } else if (places.size === 0) {
    const text =
      'the factories must complete this world first: ' +
      "createSimulator({ world: generate(world) }), with generate from 'understudy-api/factories'."
    yield { path: ['generate'], text }
  }
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

/** How many rows are checked at once. A check costs memory for each row. */
const chunkSize = 250

/** Checks a world by its schema, list by list and in chunks, so that a bad one is refused soon. */
function* worldSchemaIssues(json: WorldJson, policies: WorldPolicies, isTaken: boolean): Issues {
  const options: IssueOptions = {
    isAllowed: ([list, , field], value) =>
      typeof value === 'string' && allowsAnyText(list, field, policies),
    isNullable: (path) => allowsNull(worldSchema(), path),
  }
  const lists = isObject(json) ? worldLists.filter((list) => Array.isArray(json[list])) : []
  const empty = Object.fromEntries(lists.map((list) => [list, []]))
  const head = isObject(json) ? { ...json, ...empty } : json
  const { error } = worldSchema().safeParse(head, suggestFields)
  const headIssues = error ? describeIssues(error, json, 'world', options) : []
  const isOfField = ({ path }: Issue) => path.length > 0
  yield* headIssues.filter(isOfField)
  for (const list of lists) {
    const rows = json[list] as readonly unknown[]
    const schema = z.array(rowSchemas()[list])
    for (let start = 0; start < rows.length; start += chunkSize) {
      yield
      if (isTaken && areChecked(rows, start, start + chunkSize)) continue
      const chunk = rows.slice(start, start + chunkSize)
      const parsedRows = isTaken ? chunk.map(toParsedRow) : chunk
      const parsed = schema.safeParse(parsedRows, suggestFields)
      if (parsed.success) continue
      const issues = parsed.error.issues.map((issue) => {
        const [index, ...path] = issue.path
        return { ...issue, path: [list, start + Number(index), ...path] }
      })
      const shown = Object.fromEntries(parsedRows.map((row, index) => [start + index, row]))
      yield* describeIssues({ issues }, { [list]: shown }, 'world', options)
    }
  }
  yield* headIssues.filter((issue) => !isOfField(issue))
}

/** Whether `checkRows` made the rows from `start` up to `end`, and each of them has an id. */
function areChecked(rows: readonly unknown[], start: number, end: number): boolean {
  const last = Math.min(end, rows.length)
  for (let at = start; at < last; at++) {
    const row = rows[at]
    if (!isChecked(row) || !hasId(row)) return false
  }
  return true
}

type FieldsByList = Readonly<
  Record<PropertyKey, Pick<Entity<Record<PropertyKey, unknown>>, 'fields'>>
>

/** Whether policies let requests write any text in a field that has a few words otherwise. */
function allowsAnyText(
  list: PropertyKey = '',
  name: PropertyKey = '',
  policies: WorldPolicies,
): boolean {
  const choices = (entities as FieldsByList)[list]?.fields?.[name]?.choices
  if (!choices || policies === undefined) return false
  return policies === 'unknown' || resolveByPolicy(choices, policies) === 'any'
}

/** Builds the tables of a valid world in steps, with every list and index complete. Takes the rows of the world over. */
function* buildWorldInSteps(json: WorldJson): Steps<LoadedWorld> {
  const lists: { [list: string]: () => readonly object[] } = {}
  const organizationOf = organizationsIn(json)
  for (const { list, rows, complete } of rowsToComplete(json)) {
    for (let start = 0; start < rows.length; start += stepSize) {
      completeRows(rows, start, Math.min(start + stepSize, rows.length), complete, organizationOf)
      yield
    }
    lists[list] = () => rows
  }
  const completed = lists as LazyWorldRows
  const tables = createTables(completed, lastRevision(json))
  for (const list of worldLists) {
    const table = tables[list]
    if (table instanceof Table) yield* table.fill(completed[list]() as never)
  }
  return loadedWorld(json, tables)
}

/** Completes the rows from `start` up to `end`. A function of its own, so that V8 compiles this loop alone. */
function completeRows(
  rows: object[],
  start: number,
  end: number,
  complete: (row: object, index: number) => object,
  organizationOf: RowPlace['organizationOf'],
): void {
  let project = 0
  let organization = ''
  for (let at = start; at < end; at++) {
    const row = rows[at] as object
    if (!isChecked(row)) {
      rows[at] = complete(row, at)
      continue
    }
    if (row.project !== project) {
      project = row.project
      organization = organizationOf(project)
    }
    row.organization = organization
  }
}

/** Opens a built-in world by name, or loads a world. @throws UsageError for an unknown name, or with every issue */
export function openWorld(world: BuiltInWorld | WorldJson, policies?: WorldPolicies): LoadedWorld {
  return typeof world === 'object' && world !== null
    ? loadWorld(world, policies)
    : openBuiltInWorld(world)
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
