import type * as z from 'zod'
import { describeIssues, suggestFields } from '../../utils/schema-issues.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { findWorldReferenceIssues } from '../schema/references.ts'
import { worldSchema } from '../schema/world-schema.ts'
import { formatVersionIssues, type UncheckedField } from '../world-format.ts'
import type { WorldJson } from '../world-json.ts'
import { type BuiltInWorld, buildWorld, type LoadedWorld, openBuiltInWorld } from './build-world.ts'

/**
 * Checks a world and builds its tables: whole or not at all.
 *
 * @param free fields that may hold any text, as the service may have stored it
 * @throws UsageError that lists every fault with its path
 * @example loadWorld({ annotations: [{ id: 1, scope: 'team' }] })
 * // annotations[0].scope: expected one of "dashboard_item", …, got "team"
 */
export function loadWorld(json: WorldJson, free: readonly UncheckedField[] = []): LoadedWorld {
  const faults = findWorldIssues(json, free)
  if (faults.length > 0) {
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
    const head = `Failed to load the world: it has ${count}. Nothing was loaded.`
    throw new UsageError(faults.some(isMissingField) ? `${head} ${generateHint}` : head, faults)
  }
  const { annotations = [], ...rest } = json
  const loaded = buildWorld({ ...structuredClone(rest), annotations })
  // They hold nothing but plain values: no copy is needed but that of putting them in place, which is now.
  void loaded.tables.annotations.size
  return loaded
}

/** For rows that say in part what they are. */
const generateHint = 'Add "generate": {} to the world to have made up what its rows leave out.'

function isMissingField(fault: string): boolean {
  return /^\w+\[\d+\]\.\w+: .*, got nothing$/.test(fault)
}

/** Every fault of a world, each with its path; none for one that can be loaded. */
export function findWorldIssues(json: WorldJson, free: readonly UncheckedField[] = []): string[] {
  const later = formatVersionIssues(json)
  if (later.length > 0) return later
  const parsed = worldSchema.safeParse(json, suggestFields)
  const faults = parsed.success
    ? []
    : describeIssues(parsed.error, json, 'world', {
        isAllowed: (path, value) =>
          typeof value === 'string' &&
          free.includes(`${String(path[0])}.${String(path[2])}` as UncheckedField),
        isNullable: (path) => allowsNull(worldSchema, path),
      })
  if (faults.length > 0) return faults
  if (json.generate) {
    return [
      'generate: expected a world whose rows are all there. Fill it first: ' +
        "createSimulator({ world: generate(world) }) with generate from 'understudy-api/factories'.",
    ]
  }
  return findWorldReferenceIssues(json)
}

/**
 * The world of a name, or a world as JSON, ready for use.
 *
 * @throws UsageError for a name that is no built-in fixture, or with every fault of the JSON
 */
export function openWorld(
  world: BuiltInWorld | WorldJson,
  free: readonly UncheckedField[] = [],
): LoadedWorld {
  return typeof world === 'object' && world !== null
    ? loadWorld(world, free)
    : openBuiltInWorld(world)
}

/** Whether a value may hold null where a path leads to. */
export function allowsNull(schema: z.ZodType, path: readonly PropertyKey[]): boolean {
  let inner: z.ZodType | undefined = schema
  for (const step of path) inner = inner && childSchema(inner, step)
  return inner?.safeParse(null).success ?? false
}

/** The schema of a part; undefined where it is none of an object or a list. */
function childSchema(schema: z.ZodType, step: PropertyKey): z.ZodType | undefined {
  const { innerType, shape, element } = schema.def as {
    innerType?: z.ZodType
    shape?: Readonly<Record<PropertyKey, z.ZodType>>
    element?: z.ZodType
  }
  if (innerType) return childSchema(innerType, step)
  return shape?.[step] ?? element
}
