import * as z from 'zod'
import { noBody, type ShapeOrSchema } from '../../http/fields/shape.ts'
import type { PolicySettings } from '../../policies/policies.ts'

/** Any node of a JSON Schema. */
type SchemaNode = { readonly [keyword: string]: unknown }

/** A property that exists only under some settings. */
interface ConditionalProperty {
  readonly when?: Partial<PolicySettings>
}

/** Converts a shape or a zod schema to JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export function toJsonSchema(
  shape: ShapeOrSchema<unknown>,
  io: 'input' | 'output',
  settings: PolicySettings,
): object {
  if (!(shape instanceof z.ZodType)) return applySettings(shape, settings) as object
  const schema = z.toJSONSchema(shape, { io, unrepresentable: 'any' }) as SchemaNode
  const { $schema: _, $defs = {}, ...rest } = schema
  return applySettings(inlineDefinitions(rest, $defs as Definitions), settings) as object
}

/** Whether a response has no body. */
export function isEmptyBody(shape: ShapeOrSchema<unknown>): boolean {
  return shape === noBody || shape instanceof z.ZodUndefined
}

type Definitions = Readonly<Record<string, unknown>>

/**
 * Replaces references to `$defs` by their definitions, because `#/$defs` would point to the root of the document. A
 * recursive definition, such as any JSON value, becomes a schema without constraints.
 */
function inlineDefinitions(node: unknown, definitions: Definitions): unknown {
  if (Array.isArray(node)) return node.map((item) => inlineDefinitions(item, definitions))
  if (typeof node !== 'object' || node === null) return node
  const name = referencedDefinition(node)
  if (name !== undefined) {
    const isRecursive = refersTo(name, name, definitions)
    return isRecursive ? {} : inlineDefinitions(definitions[name], definitions)
  }
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, inlineDefinitions(value, definitions)]),
  )
}

/** Whether a definition refers to another one, directly or through others. */
function refersTo(
  from: string,
  target: string,
  definitions: Definitions,
  visited: readonly string[] = [],
): boolean {
  const names = [...JSON.stringify(definitions[from]).matchAll(/"#\/\$defs\/([^"]+)"/g)].map(
    ([, name]) => name as string,
  )
  if (names.includes(target)) return true
  return names.some(
    (name) => !visited.includes(name) && refersTo(name, target, definitions, [...visited, from]),
  )
}

function referencedDefinition(node: { readonly $ref?: unknown }): string | undefined {
  return /^#\/\$defs\/(.+)$/.exec(String(node.$ref))?.[1]
}

/** Removes conditional properties that the settings switch off. The others become required. */
function applySettings(node: unknown, settings: PolicySettings): unknown {
  if (Array.isArray(node)) return node.map((item) => applySettings(item, settings))
  if (typeof node !== 'object' || node === null) return node
  const { properties, required, ...keywords } = node as {
    properties?: Record<string, ConditionalProperty>
    required?: string[]
  }
  const rest = Object.fromEntries(
    Object.entries(keywords).map(([key, value]) => [key, applySettings(value, settings)]),
  )
  if (typeof properties !== 'object') return { ...rest, ...(required && { required }) }
  const enabled = Object.entries(properties).filter(([, { when }]) => appliesTo(when, settings))
  const enabledRequired = enabled
    .filter(([name, { when }]) => when !== undefined || required?.includes(name))
    .map(([name]) => name)
  const schemas = enabled.map(([name, { when: _, ...schema }]) => [
    name,
    applySettings(schema, settings),
  ])
  return {
    ...rest,
    properties: Object.fromEntries(schemas),
    ...(enabledRequired.length > 0 && { required: enabledRequired }),
  }
}

function appliesTo(when: ConditionalProperty['when'] = {}, settings: PolicySettings): boolean {
  return Object.entries(when).every(
    ([policy, setting]) => settings[policy as keyof PolicySettings] === setting,
  )
}
