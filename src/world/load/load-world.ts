import * as z from 'zod'
import { isObject } from '../../utils/json.ts'
import { describeIssues, type IssueOptions, suggestFields } from '../../utils/schema-issues.ts'
import { maxIssues, UsageError } from '../../utils/usage-error.ts'
import { worldReferenceIssues } from '../schema/references.ts'
import { rowSchemas, worldSchema } from '../schema/world-schema.ts'
import { worldLists } from '../table/lists.ts'
import { formatVersionIssues, type UncheckedField } from '../world-format.ts'
import type { WorldJson } from '../world-json.ts'
import { type BuiltInWorld, buildWorld, type LoadedWorld } from './build-world.ts'
import { openBuiltInWorld } from './built-in-worlds.ts'

/**
 * Checks a world and builds its tables: all of it or nothing.
 *
 * @param unchecked fields that can hold any text, because the policies let requests write any text
 * @throws UsageError that lists every issue with its path
 * @example loadWorld({ annotations: [{ id: 1, scope: 'team' }] })
 * // annotations[0].scope: expected one of "dashboard_item", …, got "team"
 */
export function loadWorld(json: WorldJson, unchecked: readonly UncheckedField[] = []): LoadedWorld {
  const issues = findWorldIssues(json, unchecked)
  if (issues.length > 0) {
    const message = `Failed to load the world: ${countIssues(issues)}. Nothing was loaded.`
    throw new UsageError(message + generateHint(issues, 'the world'), issues)
  }
  const { annotations = [], ...rest } = json
  const loaded = buildWorld({ ...structuredClone(rest), annotations })
  // Annotations are flat: instead of a clone, reading the size copies them into the table now.
  void loaded.tables.annotations.size
  return loaded
}

/** Says how to complete the rows of a world. @returns an empty text if no row has a missing field */
export function generateHint(issues: readonly string[], world: string): string {
  const isMissing = /^\w+\[\d+\](\.\w+: .*, got nothing$|: missing fields )/
  if (!issues.some((issue) => isMissing.test(issue))) return ''
  return ` Add "generate": {} to ${world} to generate the missing fields of its rows.`
}

/** @example countIssues(['id: …']) // '1 problem' */
export function countIssues({ length }: readonly string[]): string {
  if (length >= maxIssues) return `at least ${length} problems`
  return length === 1 ? '1 problem' : `${length} problems`
}

/** Finds every issue of a world, up to {@link maxIssues}. */
export function findWorldIssues(
  json: WorldJson,
  unchecked: readonly UncheckedField[] = [],
): string[] {
  const issues: string[] = []
  for (const issue of worldIssues(json, unchecked)) {
    issues.push(issue)
    if (issues.length === maxIssues) break
  }
  return issues
}

function* worldIssues(json: WorldJson, unchecked: readonly UncheckedField[]): Generator<string> {
  const versionIssues = formatVersionIssues(json)
  yield* versionIssues
  if (versionIssues.length > 0) return
  const places = new Set<string>()
  for (const issue of worldSchemaIssues(json, unchecked)) {
    places.add(issue.slice(0, issue.indexOf(': ')))
    yield issue
  }
  if (!isObject(json)) return
  if (!json.generate) {
    // A field of a wrong type is one issue, not two.
    for (const issue of worldReferenceIssues(json)) {
      if (!places.has(issue.slice(0, issue.indexOf(': ')))) yield issue
    }
  } else if (places.size === 0) {
    yield 'generate: the factories must complete this world first: ' +
      "createSimulator({ world: generate(world) }), with generate from 'understudy-api/factories'."
  }
}

/** How many rows are checked at once. A check costs memory for each row. */
const chunkSize = 250

/** Checks a world by its schema, list by list and in chunks, so that a bad one is refused soon. */
function* worldSchemaIssues(
  json: WorldJson,
  unchecked: readonly UncheckedField[],
): Generator<string> {
  const options: IssueOptions = {
    isAllowed: ([list, , field], value) =>
      typeof value === 'string' &&
      unchecked.includes(`${String(list)}.${String(field)}` as UncheckedField),
    isNullable: (path) => allowsNull(worldSchema, path),
  }
  const lists = isObject(json) ? worldLists.filter((list) => Array.isArray(json[list])) : []
  const empty = Object.fromEntries(lists.map((list) => [list, []]))
  const head = isObject(json) ? { ...json, ...empty } : json
  const { error } = worldSchema.safeParse(head, suggestFields)
  const headIssues = error ? describeIssues(error, json, 'world', options) : []
  const isOfField = (issue: string) => !issue.startsWith('world: ')
  yield* headIssues.filter(isOfField)
  for (const list of lists) {
    const rows = json[list] as readonly unknown[]
    const schema = z.array(rowSchemas[list])
    for (let start = 0; start < rows.length; start += chunkSize) {
      const parsed = schema.safeParse(rows.slice(start, start + chunkSize), suggestFields)
      if (parsed.success) continue
      const issues = parsed.error.issues.map((issue) => {
        const [index, ...path] = issue.path
        return { ...issue, path: [list, start + Number(index), ...path] }
      })
      yield* describeIssues({ issues }, json, 'world', options)
    }
  }
  yield* headIssues.filter((issue) => !isOfField(issue))
}

/** Opens a built-in world by name, or loads a world. @throws UsageError for an unknown name, or with every issue */
export function openWorld(
  world: BuiltInWorld | WorldJson,
  unchecked: readonly UncheckedField[] = [],
): LoadedWorld {
  return typeof world === 'object' && world !== null
    ? loadWorld(world, unchecked)
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
