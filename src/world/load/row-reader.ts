import { isObject } from '../../utils/json.ts'
import { parseDateTime } from '../../utils/python/date-time.ts'
import { countCodePoints } from '../../utils/python/text.ts'
import type { Entity, Field } from '../entities/field.ts'
import { valueSchema } from '../schema/field-schemas.ts'
import { maxId } from '../world-format.ts'

/** Reads the fields of a row of a world file. Returns null for a row that is not valid. */
export type ReadRow = (row: unknown) => object | null

/**
 * Creates the reader of the rows of one list. It says nothing about a bad row: the schema of the list explains it.
 *
 * @param allowsAnyText whether a field that has a few words can hold any text
 */
export function createRowReader(entity: Entity, allowsAnyText: (field: Field) => boolean): ReadRow {
  const fields = entity.written.map((field) => ({
    field,
    read: createValueReader(field, field.kind === 'choice' && allowsAnyText(field)),
  }))
  return (row) => {
    if (!isObject(row)) return null
    const values: Record<string, unknown> = {}
    let count = 0
    for (const { field, read } of fields) {
      const value = row[field.name]
      if (value === undefined && field.optional && !(field.name in row)) continue
      const result = value === null && field.nullable ? null : read(value)
      if (result === undefined) return null
      values[field.name] = result
      count += 1
    }
    for (const _ in row) count -= 1
    return count === 0 ? values : null
  }
}

type ReadValue = (value: unknown) => unknown

/** Reads the values of a field: a row shares equal values with the row before it. Undefined is invalid. */
function createValueReader(field: Field, isAnyText: boolean): ReadValue {
  const read = isAnyText ? readText(field) : (readers[field.kind]?.(field) ?? readBySchema(field))
  let [last, result]: unknown[] = []
  return (value) => {
    if (value !== last || value === undefined) [last, result] = [value, read(value)]
    return result
  }
}

/** The kinds of the longest lists. */
const readers: { readonly [kind: string]: (field: Field) => ReadValue } = {
  id: () => readId,
  reference: (field) => (field.list === 'organizations' ? readBySchema(field) : readId),
  flag: () => (value) => (typeof value === 'boolean' ? value : undefined),
  text: readText,
  choice:
    ({ values = [] }) =>
    (value) =>
      values.find((known) => known === value),
  time: () => (value) => {
    const time = typeof value === 'string' ? parseDateTime(value) : 'invalid'
    return time === 'invalid' || time === 'overflow' ? undefined : time
  },
}

function readId(value: unknown): unknown {
  const isId = Number.isInteger(value) && (value as number) >= 1 && (value as number) <= maxId
  return isId ? value : undefined
}

function readText({ max = Number.POSITIVE_INFINITY }: Field): ReadValue {
  return (value) => {
    if (typeof value !== 'string') return undefined
    return value.length <= max || countCodePoints(value) <= max ? value : undefined
  }
}

/** Values that can change get a copy: rows share nothing with the world that they were read from. */
function readBySchema(field: Field): ReadValue {
  const schema = valueSchema(field)
  return (value) => (schema.safeParse(value).success ? structuredClone(value) : undefined)
}
