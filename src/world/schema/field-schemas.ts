import * as z from 'zod'
import { didYouMean } from '../../utils/errors.ts'
import { countCodePoints, expectedTime, parseDateTime } from '../../utils/python.ts'
import type { Field, FieldKind, ReferencedList } from '../entities/field.ts'
import type { Json } from '../rows.ts'
import { isJson, maxId, maxJsonDepth, scopeObjects } from '../world-format.ts'

const idSchema = z.int().min(1).max(maxId)

const uuidSchema = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, {
    error: 'expected a lower-case UUID',
  })

export const jsonValueSchema: z.ZodType<Json> = z.unknown().refine((value) => isJson(value), {
  error: `expected a JSON value with at most ${maxJsonDepth} levels`,
}) as z.ZodType<Json>

const jsonObjectSchema = z.record(z.string(), jsonValueSchema)

/** How every accepted time starts, for JSON Schema. */
export const timeStart = '^\\d{4}-?\\d'

/** A time in any format that the service accepts: more than the format `date-time` of JSON Schema. */
export const timeSchema = z
  .string()
  .meta({ pattern: timeStart })
  .refine((text) => !['invalid', 'overflow'].includes(parseDateTime(text)), {
    error: ({ input }) => `expected ${expectedTime(input)}`,
  })

function textSchema(maxLength: number): z.ZodString {
  return z
    .string()
    .meta({ maxLength })
    .refine((value) => value.length <= maxLength || countCodePoints(value) <= maxLength, {
      error: `expected at most ${maxLength} characters`,
    })
}

/** Any address that the service stores: more than the format `email` of JSON Schema. */
const emailSchema = z.string().regex(/^[^\s@]+@[^\s@]+$/, { error: 'expected an e-mail address' })

const scopePattern = /^([a-z_]+:(read|write)|\*)$/
const knownScopes = scopeObjects.flatMap((object) => [`${object}:read`, `${object}:write`])

const keyScopeSchema = z
  .string()
  .meta({ pattern: scopePattern.source })
  .check(({ value, issues }) => {
    const isScope = scopePattern.test(value)
    // The service has scopes for other objects, too, so only typing errors are issues.
    const meant = didYouMean(value, knownScopes, isScope ? 2 : 3)
    if (isScope && meant === undefined) return
    const message = isScope
      ? 'expected a known scope'
      : 'expected a scope such as annotation:read, or *'
    issues.push({ code: 'custom', message, params: { meant }, input: value })
  })

/** The value of a key, which must fit into a header and a URL. */
export const keyValueSchema = z
  .string()
  .regex(/^\S.*\S$/, { error: 'expected at least two characters, without surrounding white space' })
  .refine((text) => !/\p{Surrogate}/u.test(text), {
    error: 'expected well-formed Unicode, without lone surrogates',
  })

const pluginVersionSchema = z.strictObject({
  tag: z.string(),
  plugin_json: jsonObjectSchema,
  source: jsonObjectSchema,
})

/** By the kind of a field. A field that only responses have is in no world file. */
const schemas: { readonly [Kind in Exclude<FieldKind, 'nothing'>]: (field: Field) => z.ZodType } = {
  id: () => idSchema,
  uuid: () => uuidSchema,
  reference: ({ list }) => referenceSchema(list),
  references: ({ list }) => z.array(referenceSchema(list)),
  integer: ({ min }) => (min === undefined ? z.int() : z.int().min(min)),
  level: ({ values = [] }) => z.literal([...values]),
  flag: () => z.boolean(),
  text: ({ max }) => (max === undefined ? z.string() : textSchema(max)),
  choice: ({ values = [] }) => z.enum(values.map(String)),
  time: () => timeSchema,
  email: () => emailSchema,
  key: () => keyValueSchema,
  scopes: () => z.array(keyScopeSchema),
  json: () => jsonValueSchema,
  object: () => jsonObjectSchema,
  versions: () => z.array(pluginVersionSchema),
}

function referenceSchema(list: ReferencedList | undefined): z.ZodType {
  return list === 'organizations' ? uuidSchema : idSchema
}

/** The schema of a choice that a setting can let hold any text. JSON Schema names the words of world files. */
export function anyWordSchema({ nullable, values = [] }: Field): z.ZodType {
  const schema = z.string().meta({ enum: [...values] })
  return nullable ? schema.nullable() : schema
}

/** The schema of the values of a field, without null. */
function valueSchema(field: Field): z.ZodType {
  return schemas[field.kind as keyof typeof schemas](field)
}

/** The schema of a field in world files. */
export function fieldSchema(field: Field): z.ZodType {
  const schema = valueSchema(field)
  const nullable = field.nullable ? schema.nullable() : schema
  return field.inFiles === 'maybe' ? nullable.exactOptional() : nullable
}
