import * as z from 'zod'
import { noBody, type ShapeOrSchema } from '../../http/fields/shape.ts'
import type { PolicySettings } from '../../policies/policies.ts'

/** A part of a JSON Schema. */
type SchemaNode = { readonly [keyword: string]: unknown }

/** A property that only some settings have notes them. */
interface ConditionalProperty {
  readonly when?: Partial<PolicySettings>
}

/** What is described as JSON Schema 2020-12, the one of OpenAPI 3.1, as the settings have it. */
export function toJsonSchema(
  described: ShapeOrSchema<unknown>,
  io: 'input' | 'output',
  settings: PolicySettings,
): object {
  if (!(described instanceof z.ZodType)) return applySettings(described, settings) as object
  const written = z.toJSONSchema(described, { io, unrepresentable: 'any' }) as SchemaNode
  const { $schema: _, $defs = {}, ...rest } = written
  return applySettings(inline(rest, $defs as Record<string, unknown>), settings) as object
}

/** Whether it says that there is nothing. */
export function isEmptyBody(described: ShapeOrSchema<unknown>): boolean {
  return described === noBody || described instanceof z.ZodUndefined
}

/**
 * A reference to `$defs` would be one to the root of the document, so what it stands for takes its place; a
 * schema that is inside itself, as that of any JSON is, may be anything.
 */
function inline(node: unknown, defs: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(node)) return node.map((each) => inline(each, defs))
  if (typeof node !== 'object' || node === null) return node
  const name = definitionName(node)
  if (name !== undefined) return refersTo(name, name, defs) ? {} : inline(defs[name], defs)
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inline(value, defs)]))
}

/** Whether a definition holds another one, however deep. */
function refersTo(
  from: string,
  wanted: string,
  defs: Readonly<Record<string, unknown>>,
  seen: readonly string[] = [],
): boolean {
  const held = [...JSON.stringify(defs[from]).matchAll(/"#\/\$defs\/([^"]+)"/g)].map(
    ([, name]) => name,
  )
  if (held.includes(wanted)) return true
  return held.some((name) => {
    const next = name as string
    return !seen.includes(next) && refersTo(next, wanted, defs, [...seen, from])
  })
}

function definitionName(node: { readonly $ref?: unknown }): string | undefined {
  return /^#\/\$defs\/(.+)$/.exec(String(node.$ref))?.[1]
}

/** Properties that belong to some settings are there with those, and then always; with others they are not. */
function applySettings(node: unknown, settings: PolicySettings): unknown {
  if (Array.isArray(node)) return node.map((each) => applySettings(each, settings))
  if (typeof node !== 'object' || node === null) return node
  const {
    properties,
    required = [],
    ...rest
  } = node as {
    properties?: Record<string, ConditionalProperty>
    required?: string[]
  }
  const others = Object.entries(rest).map(([key, value]) => [key, applySettings(value, settings)])
  if (typeof properties !== 'object') {
    return { ...Object.fromEntries(others), ...('required' in node && { required }) }
  }
  const kept = Object.entries(properties).filter(([, { when }]) => appliesTo(when, settings))
  const needed = kept.filter(([name, { when }]) => when !== undefined || required.includes(name))
  const written = kept.map(([name, { when: _, ...schema }]) => [
    name,
    applySettings(schema, settings),
  ])
  return {
    ...Object.fromEntries(others),
    properties: Object.fromEntries(written),
    ...(needed.length > 0 && { required: needed.map(([name]) => name) }),
  }
}

function appliesTo(when: ConditionalProperty['when'] = {}, settings: PolicySettings): boolean {
  return Object.entries(when).every(
    ([policy, setting]) => settings[policy as keyof PolicySettings] === setting,
  )
}
