import * as z from 'zod'
import {
  type BodyField,
  emptyBody,
  falseWords,
  isNullable,
  type JsonSchema,
  type ShapeOrSchema,
  trueWords,
} from '../../src/http/fields/body-fields.ts'
import { choose, type PerSetting, type SettingValues } from '../../src/settings/setting.ts'
import { mapValues } from '../../src/utils/json.ts'
import { choiceWords, type Field, type FieldKind } from '../../src/world/entities/field.ts'

/** A property that exists only under some values of the setting `annotations.fields`. */
type ConditionalProperty = Pick<Exclude<Field['sent'], false | undefined>, 'when'>

/** Converts a shape or a zod schema to JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export function toJsonSchema(
  shape: ShapeOrSchema<unknown>,
  io: 'input' | 'output',
  settings: SettingValues,
): object {
  if (!(shape instanceof z.ZodType)) return applySettings(shape, settings) as object
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    io,
    unrepresentable: 'any',
    // A reference to `#/$defs` would point to the root of the document.
    cycles: 'throw',
  })
  return applySettings(schema, settings) as object
}

export function isEmptyBody(shape: ShapeOrSchema<unknown>): boolean {
  return shape === emptyBody || shape instanceof z.ZodUndefined
}

/** Removes properties that the settings leave out. Those with a condition become required. */
function applySettings(node: unknown, settings: SettingValues): unknown {
  if (typeof node !== 'object' || node === null) return node
  const applyTo = (value: unknown) => applySettings(value, settings)
  if (Array.isArray(node)) return node.map(applyTo)
  const { properties, required, ...keywords } = node as {
    properties?: Record<string, ConditionalProperty>
    required?: string[]
  }
  const rest = mapValues(keywords, applyTo)
  if (typeof properties !== 'object') return { ...rest, ...(required && { required }) }
  const enabled = Object.entries(properties).filter(
    ([, { when }]) => when?.includes(settings['annotations.fields']) ?? true,
  )
  const enabledRequired = enabled
    .filter(([name, { when }]) => when !== undefined || required?.includes(name))
    .map(([name]) => name)
  const schemas = enabled.map(([name, { when: _, ...schema }]) => [name, applyTo(schema)])
  return {
    ...rest,
    properties: Object.fromEntries(schemas),
    ...(enabledRequired.length > 0 && { required: enabledRequired }),
  }
}

export interface DescribedBody {
  readonly fields: { readonly [name: string]: PerSetting<BodyField> }
  readonly required: PerSetting<readonly string[]>
  /** Takes precedence over the fields */
  readonly schema?: ShapeOrSchema<unknown>
}

/** Describes a request body. A form has the same fields as JSON. */
export function toRequestBody(
  body: DescribedBody,
  settings: SettingValues,
  mediaTypes: readonly string[],
  example?: unknown,
): object {
  const schema = toBodySchema(body, settings)
  const content = mediaTypes.map((type) => {
    const isShown = example !== undefined && type === 'application/json'
    return [type, { schema, ...(isShown && { example }) }]
  })
  const isRequired = choose(body.required, settings).length > 0
  return { required: isRequired, content: Object.fromEntries(content) }
}

/** A required field that is switched off can have any value. */
export function toBodySchema(body: DescribedBody, settings: SettingValues): object {
  if (body.schema) return toJsonSchema(body.schema, 'input', settings)
  const required = choose(body.required, settings)
  const properties = Object.entries(body.fields).flatMap(([name, resolvable]) => {
    const { field, isIgnored } = choose(resolvable, settings)
    if (isIgnored) return required.includes(name) ? [[name, {}]] : []
    const schema = describeField(field, settings)
    return [[name, isNullable(field, settings) ? allowNull(schema) : refuseNull(schema)]]
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  }
}

export function enabledFields(body: DescribedBody, settings: SettingValues): string[] {
  return Object.entries(body.fields)
    .filter(([, field]) => !choose(field, settings).isIgnored)
    .map(([name]) => name)
}

function allowNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf = [schema] } = schema
  const isOfWords = values !== undefined || schema.anyOf !== undefined
  if (isOfWords) return { anyOf: [...(anyOf as JsonSchema[]), { type: 'null' }] }
  // Without a type, a schema allows null already.
  return type === undefined ? schema : { ...schema, type: [type, 'null'].flat() }
}

/** A schema without a type allows null. */
function refuseNull(schema: JsonSchema): JsonSchema {
  const isAny = schema.type === undefined && schema.anyOf === undefined
  return isAny ? { ...schema, not: { type: 'null' } } : schema
}

/** The plain schema of the values of a field in bodies, without null, and in `x-accepts` the other forms. */
function describeField(field: Field, settings: SettingValues): JsonSchema {
  const { kind, max: maxLength } = field
  if (kind === 'json') return { description: 'Any JSON value.' }
  if (kind === 'choice') {
    const allowed = choiceWords(field, settings)
    return allowed === 'any' ? { type: 'string' } : describeWords(allowed)
  }
  if (kind !== 'text') return forms[kind as keyof typeof forms]
  return {
    type: 'string',
    ...(maxLength !== undefined && { maxLength }),
    'x-accepts': [
      ...(maxLength === undefined ? [] : [untrimmedText(maxLength)]),
      numberAsText(maxLength),
    ],
  }
}

/** Generators make a name of each value of an enumeration, and neither an empty text nor null is one. */
function describeWords(words: readonly string[]): JsonSchema {
  const names = words.filter((word) => word !== '')
  const schema = { type: 'string', enum: names }
  return names.length === words.length ? schema : { anyOf: [schema, { const: '' }] }
}

const untrimmedText = (maxLength: number): JsonSchema => ({
  type: 'string',
  pattern: `^\\s*[\\s\\S]{0,${maxLength}}\\s*$`,
  description: 'White space at both ends is removed before the length is checked.',
})

/** JavaScript writes a number with up to 24 characters, and an integer of up to 15 digits with all of them. */
function numberAsText(maxLength = 24): JsonSchema {
  const description = 'Converted to a string.'
  if (maxLength >= 24) return { type: 'number', description }
  const digits = Math.min(maxLength, 15)
  return {
    type: 'integer',
    minimum: 1 - 10 ** (digits - 1),
    maximum: 10 ** digits - 1,
    description,
  }
}

const forms = {
  flag: {
    type: 'boolean',
    'x-accepts': [
      {
        enum: [1, 0, ...trueWords, ...falseWords],
        description: 'A number or a word for true or false.',
      },
    ],
  },
  time: {
    type: 'string',
    format: 'date-time',
    'x-accepts': [
      {
        type: 'string',
        format: 'date',
        description:
          'Midnight, in UTC. Other ISO 8601 forms are read, too, such as a time without a zone.',
      },
    ],
  },
  reference: {
    type: 'integer',
    'x-accepts': [
      { type: 'string', pattern: '^[+-]?\\d+$', description: 'The integer as a string.' },
    ],
  },
} satisfies { readonly [Kind in FieldKind]?: JsonSchema }
