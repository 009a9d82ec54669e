import * as z from 'zod'
import { type Described, nothing } from '../fields/shape.ts'
import type { PolicySettings } from '../policies/policies.ts'

/** A part of a JSON Schema. */
type Node = { readonly [keyword: string]: unknown }

/** A property that only some settings have notes them. */
interface Noted {
  readonly when?: Partial<PolicySettings>
}

/** What is described as JSON Schema 2020-12, the one of OpenAPI 3.1, as the settings have it. */
export function toJsonSchema(
  described: Described<unknown>,
  io: 'input' | 'output',
  settings: PolicySettings,
): object {
  if (!(described instanceof z.ZodType)) return settled(described, settings) as object
  const written = z.toJSONSchema(described, { io, unrepresentable: 'any' }) as Node
  const { $schema: _, $defs = {}, ...rest } = written
  return settled(inline(rest, $defs as Record<string, unknown>), settings) as object
}

/** Whether it says that there is nothing. */
export function isNothing(described: Described<unknown>): boolean {
  return described === nothing || described instanceof z.ZodUndefined
}

/**
 * A reference to `$defs` would be one to the root of the document, so what it stands for takes its place; a
 * schema that is inside itself, as that of any JSON is, may be anything.
 */
function inline(node: unknown, defs: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(node)) return node.map((each) => inline(each, defs))
  if (typeof node !== 'object' || node === null) return node
  const name = nameIn(node)
  if (name !== undefined) return reaches(name, name, defs) ? {} : inline(defs[name], defs)
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inline(value, defs)]))
}

/** Whether a definition holds another one, however deep. */
function reaches(
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
    return !seen.includes(next) && reaches(next, wanted, defs, [...seen, from])
  })
}

function nameIn(node: { readonly $ref?: unknown }): string | undefined {
  return /^#\/\$defs\/(.+)$/.exec(String(node.$ref))?.[1]
}

/** Properties that belong to some settings are there with those, and then always; with others they are not. */
function settled(node: unknown, settings: PolicySettings): unknown {
  if (Array.isArray(node)) return node.map((each) => settled(each, settings))
  if (typeof node !== 'object' || node === null) return node
  const {
    properties,
    required = [],
    ...rest
  } = node as {
    properties?: Record<string, Noted>
    required?: string[]
  }
  const others = Object.entries(rest).map(([key, value]) => [key, settled(value, settings)])
  if (typeof properties !== 'object') {
    return { ...Object.fromEntries(others), ...('required' in node && { required }) }
  }
  const kept = Object.entries(properties).filter(([, { when }]) => holds(when, settings))
  const needed = kept.filter(([name, { when }]) => when !== undefined || required.includes(name))
  const written = kept.map(([name, { when: _, ...schema }]) => [name, settled(schema, settings)])
  return {
    ...Object.fromEntries(others),
    properties: Object.fromEntries(written),
    ...(needed.length > 0 && { required: needed.map(([name]) => name) }),
  }
}

function holds(when: Noted['when'] = {}, settings: PolicySettings): boolean {
  return Object.entries(when).every(
    ([policy, setting]) => settings[policy as keyof PolicySettings] === setting,
  )
}
