import type * as z from 'zod'
import { describeIssues, suggestFields } from '../../utils/schema-issues.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { findWorldReferenceIssues } from '../schema/references.ts'
import { worldSchema } from '../schema/world-schema.ts'
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
    throw new UsageError(
      issues.some(isMissingField) ? `${message} ${generateHint}` : message,
      issues,
    )
  }
  const { annotations = [], ...rest } = json
  const loaded = buildWorld({ ...structuredClone(rest), annotations })
  // Annotations are flat: instead of a clone, reading the size copies them into the table now.
  void loaded.tables.annotations.size
  return loaded
}

const generateHint = 'Add "generate": {} to the world to generate the missing fields of its rows.'

function isMissingField(issue: string): boolean {
  return /^\w+\[\d+\]\.\w+: .*, got nothing$/.test(issue)
}

/** @example countIssues(['id: …']) // '1 issue' */
export function countIssues({ length }: readonly string[]): string {
  return length === 1 ? '1 issue' : `${length} issues`
}

export function findWorldIssues(
  json: WorldJson,
  unchecked: readonly UncheckedField[] = [],
): string[] {
  const versionIssues = formatVersionIssues(json)
  if (versionIssues.length > 0) return versionIssues
  const parsed = worldSchema.safeParse(json, suggestFields)
  const issues = parsed.success
    ? []
    : describeIssues(parsed.error, json, 'world', {
        isAllowed: ([list, , field], value) =>
          typeof value === 'string' &&
          unchecked.includes(`${String(list)}.${String(field)}` as UncheckedField),
        isNullable: (path) => allowsNull(worldSchema, path),
      })
  if (issues.length > 0) return issues
  if (json.generate) {
    return [
      'generate: the factories must complete this world first: ' +
        "createSimulator({ world: generate(world) }), with generate from 'understudy-api/factories'.",
    ]
  }
  return findWorldReferenceIssues(json)
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
