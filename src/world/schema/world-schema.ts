import * as z from 'zod'
import { didYouMean } from '../../utils/errors.ts'
import { isObject } from '../../utils/json.ts'
import { countCodePoints, expectedTime, parseDateTime } from '../../utils/python.ts'
import { entities } from '../entities/entities.ts'
import {
  accepts,
  type Entity,
  type Field,
  type FieldKind,
  type ReferencedList,
  type WritingSettings,
} from '../entities/field.ts'
import type { Json } from '../rows.ts'
import { countedListNames, type ListName, worldLists } from '../tables.ts'
import { formatVersion, isJson, maxId, maxJsonDepth, scopeObjects } from '../world-format.ts'
import type { RowJson } from '../world-json.ts'

const idSchema = z.int().min(1).max(maxId)

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const uuidSchema = z.string().regex(uuidPattern, { error: 'expected a lower-case UUID' })

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
  .refine(isTime, { error: ({ input }) => `expected ${expectedTime(input)}` })

function isTime(text: string): boolean {
  const time = parseDateTime(text)
  return time !== 'invalid' && time !== 'overflow'
}

function textSchema(maxLength: number): z.ZodString {
  return z
    .string()
    .meta({ maxLength })
    .refine((value) => value.length <= maxLength || countCodePoints(value) <= maxLength, {
      error: `expected at most ${maxLength} characters`,
    })
}

const emailPattern = /^[^\s@]+@[^\s@]+$/

/** Any address that the service stores: more than the format `email` of JSON Schema. */
const emailSchema = z.string().regex(emailPattern, { error: 'expected an e-mail address' })

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
function anyWordSchema({ nullable, values = [] }: Field): z.ZodType {
  const schema = z.string().meta({ enum: [...values] })
  return nullable ? schema.nullable() : schema
}

function valueSchema(field: Field): z.ZodType {
  return schemas[field.kind as keyof typeof schemas](field)
}

function fieldSchema(field: Field): z.ZodType {
  const schema = valueSchema(field)
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
export const draftRowSchemas = once(() => {
  const rows = Object.entries<Entity>(entities).map(([list, { written }]) => {
    const words = written.filter(({ body }) => body?.words)
    const anyWord = words.map((field) => [field.name, anyWordSchema(field)])
    return [list, rowSchemas()[list as ListName].extend(Object.fromEntries(anyWord))]
  })
  return Object.fromEntries(rows) as RowSchemas
})

/** A schema that is built when it is first used: building all of them takes a tenth of a start. */
export function once<T>(build: () => T): () => T {
  let built: T | undefined
  return () => (built ??= build())
}

type ShortTest = (value: unknown, field: Field, settings: WritingSettings) => boolean

/** Short tests of most kinds: what passes one is valid. A schema takes most of the time of loading, 8 µs a row. */
const shortTests: { readonly [Kind in FieldKind]?: ShortTest } = {
  id: isId,
  uuid: isUuid,
  reference: isReference,
  references: (value, field) => Array.isArray(value) && value.every((id) => isReference(id, field)),
  integer: (value, { min = -Infinity }) => Number.isSafeInteger(value) && Number(value) >= min,
  level: (value, { values = [] }) => values.includes(value as number),
  email: (value) => typeof value === 'string' && emailPattern.test(value),
  key: (value) => typeof value === 'string' && /^[!-~]{2,}$/.test(value),
  scopes: (value) =>
    Array.isArray(value) && value.every((scope) => scope === '*' || knownScopes.includes(scope)),
  object: isJsonObject,
  versions: (value) =>
    Array.isArray(value) &&
    value.every(
      (version) =>
        isJsonObject(version) &&
        typeof version.tag === 'string' &&
        [version.plugin_json, version.source].every(isJsonObject) &&
        Object.keys(version).length === 3,
    ),
  flag: (value) => typeof value === 'boolean',
  text: isAccepted,
  choice: (value, field, settings) =>
    field.values?.includes(value as string) || isAccepted(value, field, settings),
  time: (value) => typeof value === 'string' && isTime(value),
  json: (value) => isJson(value),
}

function isId(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maxId
}

function isJsonObject(value: unknown): boolean {
  return isObject(value) && isJson(value)
}

function isReference(value: unknown, { list }: Field): boolean {
  return list === 'organizations' ? isUuid(value) : isId(value)
}

function isUuid(value: unknown): boolean {
  return typeof value === 'string' && uuidPattern.test(value)
}

/** Whether clients can write a text under these settings. */
function isAccepted(value: unknown, field: Field, settings: WritingSettings): boolean {
  return typeof value === 'string' && accepts(field, value, settings)
}

/** Whether a value passes the short test of its field. If not, its schema decides. */
export function passes(field: Field, value: unknown, settings: WritingSettings): boolean {
  if (value === null && field.nullable) return true
  return shortTests[field.kind]?.(value, field, settings) ?? false
}

const countSchema = (max: number) => z.int().min(0).max(max).exactOptional()
const listCountsSchema = (max: number) =>
  z.strictObject(Object.fromEntries(countedListNames.map((list) => [list, countSchema(max)])))

/** How many rows can be generated at once, so that they fit into memory: in total, and in a list of large rows. */
const maxGeneratedRows = { total: 1_000_000, large: 100_000 }

/** The schema of the numbers of rows to generate, by list. */
export function generatedCountsSchema(lists: readonly string[]): z.ZodObject {
  const counts = lists.map((list) => {
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
    $schema: z.string().exactOptional(),
    format_version: z.int().min(1).max(formatVersion).exactOptional(),
    now: timeSchema.exactOptional(),
    seed: z.int().exactOptional(),
    generate: generatedCountsSchema(['organizations', ...countedListNames]).exactOptional(),
    // One more than the highest id: the list has no room for another row.
    next_ids: listCountsSchema(maxId + 1).exactOptional(),
    issued_keys: countSchema(maxId),
    ...Object.fromEntries(worldLists.map((list) => [list, z.array(z.unknown()).exactOptional()])),
  }),
)

/** The schema of a world file. */
export const worldSchema = once(() =>
  worldHeadSchema().extend(
    Object.fromEntries(
      worldLists.map((list) => [list, z.array(rowSchemas()[list]).exactOptional()]),
    ),
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
        worldLists.map((list) => [list, z.array(rowSchemas()[list].partial()).optional()]),
      ),
    )
    .meta({
      if: { type: 'object', properties: { generate: {} }, required: ['generate'] },
      else: { type: 'object', properties: Object.fromEntries(completeLists()) },
    }),
)
