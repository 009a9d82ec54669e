import { bodyOf } from '../http/fields/body-fields.ts'
import type { SettingValues } from '../settings/setting.ts'
import { isObject, isSameJson, mapValues } from '../utils/json.ts'
import { annotation } from '../world/entities/annotation.ts'
import { type Entity, type Field, usualValue } from '../world/entities/field.ts'
import { plugin } from '../world/entities/plugin.ts'
import type { Tables } from '../world/tables.ts'

/** Fields as the API stores them, in the order of responses. */
export type StoredFields = Readonly<Record<string, unknown>>

interface BodyField {
  readonly name: string
  /** The value in a new row whose body does not say it, and its JSON */
  readonly usual: { readonly value: unknown; readonly json: string }
  read(value: unknown, settings: SettingValues): unknown
}

/** By the list of an endpoint */
const fieldsOf: { readonly [list: string]: readonly BodyField[] } = {
  annotations: bodyFields(annotation),
  plugins: bodyFields(plugin, ['url']),
}

/** Any id may be one of a row. */
const anyTables = { dashboard_items: { get: () => true } } as unknown as Tables

function bodyFields({ fields }: Pick<Entity, 'fields'>, others: readonly string[] = []) {
  const isSent = ({ name, body }: Field) => body !== undefined || others.includes(name)
  return Object.values<Field>(fields)
    .filter(isSent)
    .map((field): BodyField => {
      const { name } = field
      const schema = bodyOf<StoredFields>({ fields: { [name]: field } }, { [name]: { field } })
      const read = (value: unknown, settings: SettingValues) =>
        schema.read({ body: { value: { [name]: value } }, settings, tables: anyTables })[name]
      const usual = usualValue(field) ?? null
      return { name, usual: { value: usual, json: JSON.stringify(usual) }, read }
    })
}

/**
 * What a body says, as the API stores it: a time in UTC, a text without white space around it, of what it ignores only `url`. A
 * value that it refuses stays, and so does the body of another list.
 */
export function readFields(list: string, body: unknown, settings: SettingValues): StoredFields {
  if (!fieldsOf[list] || !isObject(body)) return { body: sortFields(body) }
  return acceptedFields(list, body, settings, true)
}

/** The same without the values that the API refuses, by default. */
export function acceptedFields(
  list: string,
  body: StoredFields,
  settings: SettingValues,
  hasRefused = false,
): StoredFields {
  const said = fieldsOf[list]?.filter(({ name }) => Object.hasOwn(body, name)) ?? []
  return Object.fromEntries(
    said.flatMap(({ name, read }) => {
      try {
        return [[name, sortFields(read(body[name], settings))]]
      } catch {
        return hasRefused ? [[name, body[name]]] : []
      }
    }),
  )
}

/** Names a row by its fields, without the values that a new row has anyway. */
export function nameOfFields(list: string, fields: StoredFields): string {
  const rows = fieldsOf[list]
  if (!rows) return JSON.stringify(fields)
  let text = ''
  for (const { name, usual } of rows) {
    const value = fields[name] ?? null
    if (value === null || value === usual.value) continue
    const isText = typeof value === 'string'
    const written = isText ? `${value.length} ${value}` : JSON.stringify(sortFields(value))
    if (written !== usual.json) text += `${name} ${written}\n`
  }
  return text
}

/** Whether two values are the same, whatever the order of their fields. */
export function isSameValue(a: unknown, b: unknown): boolean {
  return isSameJson(a, b) || isSameJson(sortFields(a), sortFields(b))
}

/** Sorts the fields of objects, so that values with equal fields are equal texts. */
function sortFields(value: unknown): unknown {
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(sortFields)
  if (!isObject(value)) return value
  const names = Object.keys(value).sort()
  return mapValues(Object.fromEntries(names.map((name) => [name, value[name]])), sortFields)
}
