import type { JsonSchema, ShapeOrSchema } from '../../http/fields/shape.ts'
import { type Resolvable, resolveByPolicy } from '../../policies/by-policy.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { toJsonSchema } from './json-schema.ts'

interface DescribedField {
  /** Null if the settings switch the field off */
  schema(settings: PolicySettings): JsonSchema | null
  nullable?(settings: PolicySettings): boolean
}

/** The parts of an endpoint's body that a document describes. */
export interface DescribedBody {
  readonly fields: { readonly [name: string]: Resolvable<DescribedField> }
  readonly required: Resolvable<readonly string[]>
  /** Takes precedence over the fields */
  readonly schema?: ShapeOrSchema<unknown>
}

/** Describes a request body. A form has the same fields as JSON, and each is a text. */
export function toRequestBody(
  body: DescribedBody,
  settings: PolicySettings,
  mediaTypes: readonly string[],
  example?: unknown,
): object {
  const json = {
    schema: toBodySchema(body, settings),
    ...(example !== undefined && { example }),
  }
  const content = mediaTypes.map((type) => [
    type,
    type === 'application/json' ? json : { schema: toFormSchema(body, settings) },
  ])
  const isRequired = resolveByPolicy(body.required, settings).length > 0
  return { required: isRequired, content: Object.fromEntries(content) }
}

/** The schema of a body as JSON. */
export function toBodySchema(body: DescribedBody, settings: PolicySettings): object {
  if (body.schema) return toJsonSchema(body.schema, 'input', settings)
  return toObjectSchema(body, settings, ({ nullable }, schema) =>
    nullable?.(settings) ? allowNull(schema) : schema,
  )
}

/** The names of the fields that the settings leave switched on. */
export function enabledFields(body: DescribedBody, settings: PolicySettings): string[] {
  return Object.entries(body.fields)
    .filter(([, field]) => resolveByPolicy(field, settings).schema(settings) !== null)
    .map(([name]) => name)
}

function toFormSchema(body: DescribedBody, settings: PolicySettings): object {
  return toObjectSchema(body, settings, () => ({ type: 'string' }))
}

/** A required field that is switched off can have any value. */
function toObjectSchema(
  body: DescribedBody,
  settings: PolicySettings,
  toSchema: (field: DescribedField, schema: JsonSchema) => JsonSchema,
): object {
  const required = resolveByPolicy(body.required, settings)
  const properties = Object.entries(body.fields).flatMap(([name, resolvable]) => {
    const field = resolveByPolicy(resolvable, settings)
    const schema = field.schema(settings)
    if (schema === null) return required.includes(name) ? [[name, {}]] : []
    return [[name, toSchema(field, schema)]]
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  }
}

function allowNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf } = schema
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] }
  return {
    ...schema,
    type: [type, 'null'].flat(),
    ...(Array.isArray(values) && { enum: [...values, null] }),
  }
}
