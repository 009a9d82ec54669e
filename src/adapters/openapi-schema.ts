import * as z from 'zod'
import { type Resolvable, resolve } from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'

interface FieldNode {
  schema(settings: PolicySettings): object
}

/** As much of the body of an endpoint as a document needs. */
export interface BodyNode {
  readonly fields: { readonly [name: string]: Resolvable<FieldNode> }
  readonly required: Resolvable<readonly string[]>
  readonly schema?: z.ZodType
}

/**
 * A schema of ours as JSON Schema 2020-12, the one of OpenAPI 3.1.
 *
 * @param named schemas that stand under a name elsewhere in the document
 */
export function toJsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  named: Readonly<Record<string, z.ZodType>>,
): object {
  const found = Object.entries(named).find(([, other]) => other === schema)
  if (found) return { $ref: `#/components/schemas/${found[0]}` }
  const written = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  const { $schema: _, $defs = {}, ...rest } = written
  return inline(rest, $defs, []) as object
}

/**
 * A reference to `$defs` would be one to the root of the document, so what it stands for takes its place; a
 * schema inside itself, as that of any JSON is, may be anything.
 */
function inline(
  node: unknown,
  defs: Readonly<Record<string, object>>,
  inside: readonly string[],
): unknown {
  if (Array.isArray(node)) return node.map((each) => inline(each, defs, inside))
  if (typeof node !== 'object' || node === null) return node
  const name = /^#\/\$defs\/(.+)$/.exec(String((node as { $ref?: string }).$ref))?.[1]
  if (name !== undefined && inside.includes(name)) return {}
  if (name !== undefined) return inline(defs[name], defs, [...inside, name])
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, inline(value, defs, inside)]),
  )
}

/** What a body may be: its schema, or the fields it is read by. */
export function toBodySchema(
  { fields, required, schema }: BodyNode,
  settings: PolicySettings,
  named: Readonly<Record<string, z.ZodType>>,
): object {
  if (schema) return toJsonSchema(schema, 'input', named)
  const properties = Object.entries(fields).map(([name, field]) => [
    name,
    resolve(field, settings).schema(settings),
  ])
  const needed = resolve(required, settings)
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(needed.length > 0 && { required: needed }),
  }
}
