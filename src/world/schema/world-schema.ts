import * as z from 'zod'
import { didYouMean } from '../../utils/errors.ts'
import { listOf } from '../../utils/options.ts'
import { parseDateTime } from '../../utils/python.ts'
import { entities } from '../entities/entities.ts'
import {
  accepts,
  type Entity,
  type Field,
  type FieldKind,
  type WritingSettings,
} from '../entities/field.ts'
import type { Json } from '../rows.ts'
import { countedListNames, editableLists, type ListName, worldLists } from '../tables.ts'
import {
  formatVersion,
  isJson,
  isRowId,
  knownScopes,
  maxId,
  maxJsonDepth,
} from '../world-format.ts'
import type { RowJson } from '../world-json.ts'

const idSchema = z.int().min(1).max(maxId)

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const uuidSchema = z.string().regex(uuidPattern, { error: 'expected a lower-case UUID' })

export const jsonValueSchema: z.ZodType<Json> = z.unknown().refine((value) => isJson(value), {
  error: `expected JSON with at most ${maxJsonDepth} levels and finite numbers`,
}) as z.ZodType<Json>

const jsonObjectSchema = z.record(z.string(), jsonValueSchema)

/** How every accepted time starts, for JSON Schema. */
export const timeStart = '^\\d{4}-?[\\dW]'

/** A time in any format that the service accepts: more than the format `date-time` of JSON Schema. */
export const timeSchema = z
  .string()
  .meta({ pattern: timeStart })
  .refine(isTime, { error: 'expected an ISO 8601 time such as 2024-06-01T00:00:00Z' })

function isTime(text: string) {
  const time = parseDateTime(text)
  return time !== 'invalid' && time !== 'overflow'
}

function textSchema(field: Field) {
  const { max: maxLength } = field
  if (maxLength === undefined) return z.string()
  const error = `expected at most ${maxLength} characters`
  return z
    .string()
    .meta({ maxLength })
    .refine((value) => accepts(value, field, undefined), { error })
}

const emailPattern = /^[^\s@]+@[^\s@]+$/

/** Any address that the service stores: more than the format `email` of JSON Schema. */
const emailSchema = z.string().regex(emailPattern, { error: 'expected an e-mail address' })

const scopePattern = /^([a-z_]+:(read|write)|\*)$/

const scopeSchema = z
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

const scopesSchema = listOf(scopeSchema)

/** The value of a key, which must fit into a header and a URL. */
export const keyValueSchema = z
  .string()
  .regex(/^\S.*\S$/, { error: 'expected at least two characters, without surrounding white space' })
  .refine((text) => !/\p{Surrogate}/u.test(text), {
    error: 'expected well-formed Unicode, without lone surrogates',
  })

const versionsSchema = listOf(
  z.strictObject({ tag: z.string(), plugin_json: jsonObjectSchema, source: jsonObjectSchema }),
)

interface Kind {
  readonly schema: (field: Field) => z.ZodType
  /** Says the same as the schema, in a fraction of its time. Only of kinds that large worlds have much of */
  readonly test?: (value: unknown, field: Field, settings: WritingSettings) => boolean
}

/** A field that only responses have is in no world file. */
const kinds: { readonly [Name in Exclude<FieldKind, 'nothing'>]: Kind } = {
  id: { schema: () => idSchema, test: isRowId },
  uuid: { schema: () => uuidSchema, test: isUuid },
  reference: { schema: referenceSchema, test: isReference },
  references: {
    schema: (field) => listOf(referenceSchema(field)),
    test: (value, field) => Array.isArray(value) && value.every((id) => isReference(id, field)),
  },
  integer: {
    schema: ({ min }) => (min === undefined ? z.int() : z.int().min(min)),
    test: (value, { min = -Infinity }) => Number.isSafeInteger(value) && Number(value) >= min,
  },
  level: { schema: ({ values = [] }) => z.literal([...values]) },
  flag: { schema: () => z.boolean(), test: (value) => typeof value === 'boolean' },
  text: { schema: textSchema, test: accepts },
  choice: {
    schema: ({ values = [] }) => z.enum(values.map(String)),
    test: (value, field, settings) =>
      field.values?.includes(value as string) || accepts(value, field, settings),
  },
  time: { schema: () => timeSchema, test: (value) => typeof value === 'string' && isTime(value) },
  email: { schema: () => emailSchema },
  key: { schema: () => keyValueSchema },
  scopes: { schema: () => scopesSchema },
  json: { schema: () => jsonValueSchema, test: (value) => isJson(value) },
  object: { schema: () => jsonObjectSchema },
  versions: { schema: () => versionsSchema },
}

function isUuid(value: unknown) {
  return typeof value === 'string' && uuidPattern.test(value)
}

export function isReference(value: unknown, { list }: Pick<Field, 'list'>): boolean {
  return list === 'organizations' ? isUuid(value) : isRowId(value)
}

export function isValidIn(field: Field, value: unknown, settings: WritingSettings): boolean {
  if (value === null && field.nullable) return true
  const { schema, test } = kinds[field.kind as keyof typeof kinds]
  return test ? test(value, field, settings) : schema(field).safeParse(value).success
}

function referenceSchema({ list }: Field): z.ZodType {
  return list === 'organizations' ? uuidSchema : idSchema
}

/** The schema of a choice that a setting can let hold any text. JSON Schema names the words of world files. */
function anyWordSchema({ nullable, values = [] }: Field): z.ZodType {
  const schema = z.string().meta({ enum: [...values] })
  return nullable ? schema.nullable() : schema
}

function fieldSchema(field: Field) {
  const schema = kinds[field.kind as keyof typeof kinds].schema(field)
  const nullable = field.nullable ? schema.nullable() : schema
  return field.inFiles === 'maybe' ? nullable.exactOptional() : nullable
}

type RowSchemas = { readonly [List in ListName]: z.ZodObject & z.ZodType<RowJson<List>> }

/**
 * The schema of a row of each list, in the world format. Where a setting lets the service store any word, loading ignores
 * the issue of an unknown one.
 */
export const rowSchemas = once(() => {
  const rows = Object.entries<Entity>(entities).map(([list, { written }]) => [
    list,
    z.strictObject(Object.fromEntries(written.map((field) => [field.name, fieldSchema(field)]))),
  ])
  return Object.fromEntries(rows) as RowSchemas
})

/**
 * The schema of a row that is checked again when it is written: only then is it known whether the settings allow another
 * word of a choice.
 */
const draftRowSchemas = once(() => {
  const rows = Object.entries<Entity>(entities).map(([list, { written }]) => {
    const words = written.filter(({ body }) => body?.words)
    const anyWord = words.map((field) => [field.name, anyWordSchema(field)])
    return [list, rowSchemas()[list as ListName].extend(Object.fromEntries(anyWord))]
  })
  return Object.fromEntries(rows) as RowSchemas
})

/** What rows to add, to update and to delete look like, by list. */
export const rowEditSchemas = once(() => ({
  rows: z.strictObject({
    ...listSchemas((row) => row.partial()),
    keys: listOf(rowSchemas().keys.partial()).exactOptional(),
    repository: listOf(rowSchemas().repository).exactOptional(),
  }),
  update: z.strictObject(
    listSchemas((row) => row.partial().extend({ id: row.shape.id as z.ZodType })),
  ),
  delete: z.strictObject(listSchemas((row) => row.shape.id as z.ZodType)),
}))

function listSchemas(toItem: (row: z.ZodObject) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(
    editableLists.map((list) => [list, listOf(toItem(draftRowSchemas()[list])).exactOptional()]),
  )
}

/** A schema that is built when it is first used: building all of them takes a tenth of a start. */
export function once<T>(build: () => T): () => T {
  let built: T | undefined
  return () => (built ??= build())
}

function nextIdsSchema(): z.ZodObject {
  // One more than the highest id: the list has no room for another row.
  const nextId = z
    .int()
    .min(0)
    .max(maxId + 1)
    .exactOptional()
  return z.strictObject(Object.fromEntries(countedListNames.map((list) => [list, nextId])))
}

/** How many rows can be generated at once, so that they fit into memory: in total, and in a list of large rows. */
const maxGeneratedRows = { total: 1_000_000, large: 100_000 }

function generatedCountsSchema(): z.ZodObject {
  const counts = ['organizations', ...countedListNames].map((list) => {
    const count = z.int().min(0)
    const isSmall = list === 'annotations' || list === 'activity'
    return [list, (isSmall ? count : count.max(maxGeneratedRows.large)).exactOptional()]
  })
  return z.strictObject(Object.fromEntries(counts)).check(({ value, issues }) => {
    const total = Object.values(value).reduce((sum: number, count) => sum + Number(count), 0)
    if (total <= maxGeneratedRows.total) return
    const message = `expected at most ${maxGeneratedRows.total} generated rows in total`
    issues.push({ code: 'custom', message, input: value })
  })
}

/** The schema of all but the rows of a world file: that of rows takes 20 ms to build. */
export const worldHeadSchema = once(() =>
  z.strictObject({
    $schema: z.string().optional(),
    format_version: z.int().min(1).max(formatVersion).optional(),
    now: timeSchema.optional(),
    seed: z.int().optional(),
    generate: generatedCountsSchema().optional(),
    next_ids: nextIdsSchema().optional(),
    ...Object.fromEntries(worldLists.map((list) => [list, listOf(z.unknown()).optional()])),
  }),
)

export const worldSchema = once(() =>
  worldHeadSchema().extend(
    Object.fromEntries(worldLists.map((list) => [list, listOf(rowSchemas()[list]).optional()])),
  ),
)

/** For JSON Schema: the required fields of the rows of each list. */
const completeLists = () =>
  worldLists.map((list) => {
    const { shape } = rowSchemas()[list]
    const required = Object.keys(shape).filter((name) => shape[name]?._zod.def.type !== 'optional')
    const properties = Object.fromEntries(required.map((name) => [name, {}]))
    return [list, { type: 'array', items: { type: 'object', properties, required } }] as const
  })

/**
 * The schema of a world as it is written: with `generate`, its rows can leave out fields. Only its JSON Schema requires
 * them without `generate`. Then `worldSchema` checks the world.
 */
export const writtenWorldSchema = once(() =>
  worldSchema()
    .extend(
      Object.fromEntries(
        worldLists.map((list) => [list, listOf(rowSchemas()[list].partial()).optional()]),
      ),
    )
    .meta({
      if: { type: 'object', properties: { generate: {} }, required: ['generate'] },
      else: { type: 'object', properties: Object.fromEntries(completeLists()) },
    }),
)
