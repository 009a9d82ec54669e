import type { JsonSchema } from '../fields/field.ts'
import type { Described } from '../fields/shape.ts'
import { type Resolvable, resolve } from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { toJsonSchema } from './openapi-schema.ts'

interface FieldNode {
  schema(settings: PolicySettings): JsonSchema | null
  nullable?(settings: PolicySettings): boolean
}

/** As much of the body of an endpoint as a document needs. */
export interface BodyNode {
  readonly fields: { readonly [name: string]: Resolvable<FieldNode> }
  readonly required: Resolvable<readonly string[]>
  readonly schema?: Described<unknown>
}

/** What OpenAPI says of a body. A form has the same fields, each as a text. */
export function toRequestBody(
  body: BodyNode,
  settings: PolicySettings,
  mediaTypes: readonly string[],
): object {
  const json = toBodySchema(body, settings)
  const content = mediaTypes.map((type) => [
    type,
    { schema: type === 'application/json' ? json : toFormSchema(body, settings) },
  ])
  const needed = resolve(body.required, settings).length > 0
  return { required: needed, content: Object.fromEntries(content) }
}

/** What a body may be as JSON: its schema, or the fields it is read by. */
export function toBodySchema(body: BodyNode, settings: PolicySettings): object {
  if (body.schema) return toJsonSchema(body.schema, 'input', settings)
  return toObject(body, settings, ({ nullable }, schema) =>
    nullable?.(settings) ? orNull(schema) : schema,
  )
}

function toFormSchema(body: BodyNode, settings: PolicySettings): object {
  return toObject(body, settings, () => ({ type: 'string' }))
}

/** The fields that are read, and those that have to be there all the same. */
function toObject(
  { fields, required }: BodyNode,
  settings: PolicySettings,
  toSchema: (field: FieldNode, schema: JsonSchema) => JsonSchema,
): object {
  const needed = resolve(required, settings)
  const properties = Object.entries(fields).flatMap(([name, declared]) => {
    const field = resolve(declared, settings)
    const schema = field.schema(settings)
    if (schema === null) return needed.includes(name) ? [[name, {}]] : []
    return [[name, toSchema(field, schema)]]
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(needed.length > 0 && { required: needed }),
  }
}

/** The same schema, which null passes as well. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: words, anyOf } = schema
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] }
  return {
    ...schema,
    type: [type, 'null'].flat(),
    ...(Array.isArray(words) && { enum: [...words, null] }),
  }
}
