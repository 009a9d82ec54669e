import type { JsonSchema, ShapeOrSchema } from '../../http/fields/shape.ts'
import { type Resolvable, resolveByPolicy } from '../../policies/by-policy.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { toJsonSchema } from './json-schema.ts'

interface DescribedField {
  schema(settings: PolicySettings): JsonSchema | null
  nullable?(settings: PolicySettings): boolean
}

/** As much of the body of an endpoint as a document needs. */
export interface DescribedBody {
  readonly fields: { readonly [name: string]: Resolvable<DescribedField> }
  readonly required: Resolvable<readonly string[]>
  readonly schema?: ShapeOrSchema<unknown>
}

/** What OpenAPI says of a body. A form has the same fields, each as a text. */
export function toRequestBody(
  body: DescribedBody,
  settings: PolicySettings,
  mediaTypes: readonly string[],
): object {
  const json = toBodySchema(body, settings)
  const content = mediaTypes.map((type) => [
    type,
    { schema: type === 'application/json' ? json : toFormSchema(body, settings) },
  ])
  const needed = resolveByPolicy(body.required, settings).length > 0
  return { required: needed, content: Object.fromEntries(content) }
}

/** What a body may be as JSON: its schema, or the fields it is read by. */
export function toBodySchema(body: DescribedBody, settings: PolicySettings): object {
  if (body.schema) return toJsonSchema(body.schema, 'input', settings)
  return toObjectSchema(body, settings, ({ nullable }, schema) =>
    nullable?.(settings) ? allowNull(schema) : schema,
  )
}

function toFormSchema(body: DescribedBody, settings: PolicySettings): object {
  return toObjectSchema(body, settings, () => ({ type: 'string' }))
}

/** The fields that are read, and those that have to be there all the same. */
function toObjectSchema(
  { fields, required }: DescribedBody,
  settings: PolicySettings,
  toSchema: (field: DescribedField, schema: JsonSchema) => JsonSchema,
): object {
  const needed = resolveByPolicy(required, settings)
  const properties = Object.entries(fields).flatMap(([name, declared]) => {
    const field = resolveByPolicy(declared, settings)
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
function allowNull(schema: JsonSchema): JsonSchema {
  const { type, enum: words, anyOf } = schema
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] }
  return {
    ...schema,
    type: [type, 'null'].flat(),
    ...(Array.isArray(words) && { enum: [...words, null] }),
  }
}
