import type { ZodType } from 'zod'
import { choose, type PerSetting, type SettingValues } from '../../settings/setting.ts'
import { didYouMean } from '../../utils/errors.ts'
import { isObject, type Json, tryParseJson } from '../../utils/json.ts'
import { parseDateTime, pythonTypeName, toPythonString } from '../../utils/python.ts'
import {
  accepts,
  choiceWords,
  type Entity,
  type Field,
  type FieldKind,
} from '../../world/entities/field.ts'
import type { Tables } from '../../world/tables.ts'
import { isJson } from '../../world/world-format.ts'
import { Failure, type FailureDetails, quote } from '../failures.ts'
import { parseInteger } from '../messages.ts'

/** A body, before its fields are read. */
export interface ParsedBody {
  /** Undefined if the request has no body. */
  readonly value: unknown
  /** Whether the body is form-encoded, so that every value is a string. */
  readonly isForm?: boolean
  /** As the service's framework has it: numbers become text as Python prints them. By field, if one of them is unusual. */
  readonly numbers?: ReadonlyMap<string, string>
}

interface BodySource {
  readonly body: ParsedBody
  readonly settings: SettingValues
  readonly tables: Tables
}

/** How bodies have a field of an entity. */
export interface BodyField {
  readonly field: Field
  /** Whether values are ignored. The field can still be required. */
  readonly isIgnored?: true
}

export function isNullable({ nullable, body }: Field, settings: SettingValues): boolean {
  const { null: setting } = body ?? {}
  if (setting === undefined) return nullable === true && isNullableBySetting(settings)
  return setting === 'always' || settings[setting] === 'accepted'
}

/** Whether an empty string in a form is a value. Otherwise the field counts as null or as missing. */
function acceptsBlank(field: Field, settings: SettingValues) {
  const allowed = field.kind === 'choice' ? choiceWords(field, settings) : []
  return ['text', 'json'].includes(field.kind) || allowed === 'any' || allowed.includes('')
}

/** By the setting `fields.nullable`, more fields are nullable than the documentation says. */
function isNullableBySetting(settings: SettingValues) {
  return settings['fields.nullable'] === 'most_fields'
}

function refuseField(
  { name }: Field,
  code: string,
  detail: string,
  details: Pick<FailureDetails, 'reason' | 'nearest'> = {},
): never {
  throw new Failure('validation_error', detail, { attr: name, code, ...details })
}

/** Half of a pair. With the flag u, a pair counts as one character. */
const loneSurrogate = /\p{Surrogate}/u

/** Writes a value as Python's `str()` does, and a number as the client sent it. */
function toText({ name }: Field, value: unknown, { body }: BodySource) {
  if (typeof value === 'string') return value
  return (typeof value === 'number' && body.numbers?.get(name)) || toPythonString(value)
}

/** A text, which may be empty. White space at both ends is trimmed, and a number is converted to a text. */
function readText(field: Field, value: unknown, source: BodySource) {
  const { max } = field
  if (typeof value !== 'string' && typeof value !== 'number') {
    refuseField(field, 'invalid_input', 'Not a valid string.')
  }
  const text = toText(field, value, source).trim()
  if (!accepts(text, field, source.settings)) {
    const detail = `Ensure this field has no more than ${max} characters.`
    refuseField(field, 'max_length', detail, { nearest: [...text].slice(0, max).join('') })
  }
  if (text.includes('\0')) {
    refuseField(field, 'null_characters_not_allowed', 'Null characters are not allowed.')
  }
  const surrogate = loneSurrogate.exec(text)?.[0]
  if (surrogate) {
    const codePoint = surrogate.charCodeAt(0).toString(16).toUpperCase()
    const detail = `Surrogate characters are not allowed: U+${codePoint}.`
    refuseField(field, 'surrogate_characters_not_allowed', detail)
  }
  return text
}

export const trueWords = 't T y Y yes Yes YES true True TRUE on On ON 1'.split(' ')
export const falseWords = 'f F n N no No NO false False FALSE off Off OFF 0'.split(' ')

/** A boolean, 1 or 0, or a word for true or false in lower case, upper case or capitalized. */
function readFlag(field: Field, value: unknown): boolean {
  if (value === true || value === 1 || trueWords.includes(value as string)) return true
  if (value === false || value === 0 || falseWords.includes(value as string)) return false
  return refuseField(field, 'invalid_input', 'Must be a valid boolean.')
}

/**
 * One of several texts, which are case-sensitive. The message for another value contains it as Python's `str()` writes
 * it: `"None" is not a valid choice.` If any text is allowed, the value must still be a string.
 */
function readChoice(field: Field, value: unknown, source: BodySource): string {
  const { settings } = source
  const text = toText(field, value, source)
  const allowed = choiceWords(field, settings)
  const isText = allowed !== 'any' || typeof value === 'string'
  if (isText && accepts(text, field, settings)) return text
  const detail = `"${text}" is not a valid choice.`
  if (allowed === 'any') return refuseField(field, 'invalid_choice', detail)
  const nearest = didYouMean(text, allowed)
  const reason = () => {
    const hint = nearest === undefined ? '' : `, did you mean ${nearest}?`
    const choices = allowed.map((choice) => choice || '""').join(', ')
    const sent = typeof value === 'object' ? text : String(value)
    return `body.${field.name}: ${quote(sent)} is not one of ${choices}${hint}`
  }
  return refuseField(field, 'invalid_choice', detail, { reason, nearest })
}

const dateTimeFormats = 'YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]'

/** A date-time in any form that {@link parseDateTime} accepts. It is stored in UTC. */
function readTime(field: Field, value: unknown): string {
  const time = typeof value === 'string' ? parseDateTime(value) : 'invalid'
  if (time === 'overflow') refuseField(field, 'overflow', 'Datetime value out of range.')
  if (time !== 'invalid') return time
  const detail = `Datetime has wrong format. Use one of these formats instead: ${dateTimeFormats}.`
  return refuseField(field, 'invalid_input', detail)
}

/** The id of an existing row of another list. A numeric string is converted, and an empty string counts as null. */
function readReference(field: Field, value: unknown, source: BodySource): number | null {
  if (value === '' && isNullableBySetting(source.settings)) return null
  const id = parseId(value)
  if (id === undefined) {
    const detail = `Incorrect type. Expected pk value, received ${pythonTypeName(value)}.`
    return refuseField(field, 'incorrect_type', detail)
  }
  const row = source.tables[field.list as 'dashboard_items'].get(id)
  if (row && !row.deleted) return id
  const text = toText(field, value, source)
  return refuseField(field, 'does_not_exist', `Invalid pk "${text}" - object does not exist.`)
}

function parseId(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? Math.trunc(value) : undefined
  return typeof value === 'string' ? parseInteger(value) : undefined
}

/** Any JSON value, or by setting only a value of the observed shape. In a form the value is parsed from JSON text. */
function readJson(field: Field, value: unknown, { settings, body }: BodySource) {
  const { shape } = field.body ?? {}
  const json = body.isForm && typeof value === 'string' ? tryParseJson(value)?.value : value
  const isRestricted = shape !== undefined && settings[shape.setting] === 'known_shape'
  if (isJson(json) && (!isRestricted || shape.test(json))) return json
  return refuseField(field, 'invalid_input', 'Value must be valid JSON.')
}

type ReadValue = (field: Field, value: unknown, source: BodySource) => unknown

/** By the kind of a field. Bodies have no field of another kind. */
const readers = {
  text: readText,
  flag: readFlag,
  choice: readChoice,
  time: readTime,
  reference: readReference,
  json: readJson,
} satisfies { readonly [Kind in FieldKind]?: ReadValue }

/**
 * Normalizes an empty string in a form, which can express neither null nor a missing field: it counts as null in a
 * nullable field, and as a missing field otherwise. This is the rule of Django REST Framework 3.14
 * (`Field.get_value`), not seen in the live service.
 */
function normalizeBlank(field: Field, value: unknown, settings: SettingValues) {
  if (value !== '' || acceptsBlank(field, settings)) return value
  return isNullable(field, settings) ? null : undefined
}

/** Reads a field of a body, whose value can be null. @throws Failure `validation_error` with the name of the field */
function readField(field: Field, value: unknown, source: BodySource) {
  const read: ReadValue = readers[field.kind as keyof typeof readers]
  // In a form, null is a text, so reading it can return null, too.
  const result = value === null ? null : read(field, value, source)
  if (result !== null || isNullable(field, source.settings)) return result
  return refuseField(field, 'null', 'This field may not be null.')
}

export interface BodySchema<T> {
  /** By name, in the order in which they are validated */
  readonly fields: { readonly [name: string]: PerSetting<BodyField> }
  readonly required: PerSetting<readonly string[]>
  /** Describes a body that is not an object with these fields. */
  readonly schema?: ShapeOrSchema<unknown>
  /** @throws Failure `validation_error` for the first invalid field, in the order of `fields` */
  read(source: BodySource): T
}

/**
 * Defines a body by the writable fields of an entity, which are optional by default. Other fields are ignored.
 *
 * @param others how further fields of the entity are read
 * @param required the names of required fields
 * @example const body: BodySchema<AnnotationChanges> = bodyOf(annotation)
 */
export function bodyOf<T>(
  entity: Pick<Entity, 'fields'>,
  others: { readonly [name: string]: PerSetting<BodyField> } = {},
  required: PerSetting<readonly string[]> = [],
): BodySchema<T> {
  const entries = Object.values<Field>(entity.fields)
    .filter(({ name, body }) => body || others[name])
    .map((field) => [field.name, others[field.name] ?? { field }] as const)
  return {
    fields: Object.fromEntries(entries),
    required,
    read(source) {
      const { body: sentBody, settings } = source
      const values = requireObject(sentBody.value)
      const requiredNames = choose(required, settings)
      const body: Record<string, unknown> = {}
      for (const [name, resolvable] of entries) {
        const { field, isIgnored } = choose(resolvable, settings)
        const sent = Object.hasOwn(values, name) ? values[name] : undefined
        const filled = sentBody.isForm ? normalizeBlank(field, sent, settings) : sent
        if (filled === undefined) {
          if (requiredNames.includes(name))
            refuseField(field, 'required', 'This field is required.')
        } else if (!isIgnored) body[name] = readField(field, filled, source)
      }
      return body as T
    },
  }
}

/** A missing body counts as an empty object. @throws Failure for any other value that is not an object */
export function requireObject(value: unknown): Record<string, unknown> {
  if (value === undefined) return {}
  if (isObject(value)) return value
  const type = value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
  const isTwice = typeof value === 'string' && /^\s*\{/.test(value)
  const hint = isTwice ? '; it was converted to JSON twice' : ''
  const reason = () => `the body is ${type}, not an object${hint}`
  if (value === null)
    throw new Failure('validation_error', 'No data provided', { code: 'null', reason })
  const detail = `Invalid data. Expected a dictionary, but got ${pythonTypeName(value)}.`
  throw new Failure('validation_error', detail, { reason })
}

export type JsonSchema = { readonly [keyword: string]: unknown }

/**
 * The JSON Schema of a response, with its TypeScript type. Responses are described but not validated, so the request
 * path needs no validator.
 */
export type Shape<T> = JsonSchema & {
  /** Never set. It carries the type. */
  readonly '~type'?: T
}

export type ShapeOrSchema<T> = Shape<T> | ZodType<T>

type TypeOf<S> = S extends { readonly '~type'?: infer T } ? Exclude<T, undefined> : never
type Shapes = { readonly [name: string]: Shape<unknown> }

export const emptyBody: Shape<undefined> = {}
export const bool: Shape<boolean> = { type: 'boolean' }
export const nullShape: Shape<null> = { type: 'null' }
export const anyText: Shape<string> = { type: 'string' }
export const anyJson: Shape<Json> = {}

export const integer: Shape<number> = { type: 'integer' }

const uuid: Shape<string> = { type: 'string', format: 'uuid' }
export const dateTime: Shape<string> = { type: 'string', format: 'date-time' }

export function nullableShape<T>(shape: Shape<T>): Shape<T | null> {
  const { type, ...keywords } = shape
  const isPlain = type !== undefined && Object.keys(keywords).length === 0
  return isPlain ? { type: [type, 'null'] } : { anyOf: [shape, nullShape] }
}

export function listOf<T>(item: Shape<T>): Shape<T[]> {
  return { type: 'array', items: item }
}

export function recordOf<T>(value: Shape<T>): Shape<{ [name: string]: T | undefined }> {
  return { type: 'object', propertyNames: anyText, additionalProperties: value }
}

/**
 * Describes an object with these fields. All of them are required, except those with a condition.
 *
 * @param others the shape of other fields, or false if there are none
 */
export function objectOf<S extends Shapes>(
  fields: S,
  others: false | Shape<unknown> = false,
): Shape<{ [Name in keyof S]: TypeOf<S[Name]> }> {
  const required = Object.keys(fields).filter((name) => !fields[name]?.when)
  return { type: 'object', properties: fields, required, additionalProperties: others }
}

export function pickFields<T extends object>(shape: Shape<T>, values: T): T {
  const names = Object.keys(shape.properties as Shapes) as (keyof T)[]
  return Object.fromEntries(names.map((name) => [name, values[name]])) as T
}

/** By the kind of a field. All others are texts: stored e-mail addresses can break their format. */
const shapes: { readonly [Kind in FieldKind]?: Shape<unknown> } = {
  id: integer,
  uuid,
  integer,
  flag: bool,
  time: dateTime,
  json: anyJson,
  object: recordOf(anyJson),
  nothing: nullShape,
}

function fieldShape({ kind, list, sent }: Field) {
  const { embedded } = sent || {}
  if (embedded) return responseShape<unknown>(embedded)
  if (kind === 'reference') return list === 'organizations' ? uuid : integer
  return shapes[kind] ?? anyText
}

/** Describes the rows of an entity in responses. A field with a condition exists only under it, and then always. */
export function responseShape<T>({ fields }: Pick<Entity, 'fields'>): Shape<T> {
  const named = Object.values<Field>(fields).flatMap((field) => {
    const { name, nullable, sent = {} } = field
    if (sent === false) return []
    const shape = nullable ? nullableShape(fieldShape(field)) : fieldShape(field)
    return [[name, sent.when ? { ...shape, when: sent.when } : shape]]
  })
  return objectOf(Object.fromEntries(named)) as Shape<T>
}

/** One page of a list. */
export interface Page<T> {
  /** The number of results on all pages. */
  count: number
  /** The absolute URL of the next page; null on the last page. */
  next: string | null
  /** The absolute URL of the previous page; null on the first page. */
  previous: string | null
  results: T[]
}

export function pageShape<T>(row: Shape<T>): Shape<Page<T>> {
  return objectOf({
    count: integer,
    next: nullableShape(anyText),
    previous: nullableShape(anyText),
    results: listOf(row),
  })
}
