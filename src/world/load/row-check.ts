import { isObject } from '../../utils/json.ts'
import { countCodePoints } from '../../utils/python/text.ts'
import { type Entity, type Field, type FieldKind, isOptional } from '../entities/field.ts'
import { valueSchema } from '../schema/field-schemas.ts'
import { maxId } from '../world-format.ts'

/**
 * Creates a check of the rows of one list in a world file, but for their times, which are parsed when the rows are
 * completed. It says nothing about a bad row: the schema of the list explains it, and takes four times as long.
 *
 * @param allowsAnyText whether a field that has a few words can hold any text
 */
export function createRowCheck(
  { written }: Entity,
  allowsAnyText: (field: Field) => boolean,
): (row: unknown) => boolean {
  const fields = written.map((field) => ({
    field,
    check: allowsAnyText(field) ? isText : (checks[field.kind]?.(field) ?? bySchema(field)),
  }))
  return (row) => {
    if (!isObject(row)) return false
    let count = 0
    for (const { field, check } of fields) {
      const value = row[field.name]
      if (value === undefined && isOptional(field) && !(field.name in row)) continue
      if (!(value === null && field.nullable) && !check(value)) return false
      count += 1
    }
    for (const _ in row) count -= 1
    return count === 0
  }
}

type Check = (value: unknown) => boolean

/** The kinds of the longest lists. */
const checks: { readonly [Kind in FieldKind]?: (field: Field) => Check } = {
  id: () => isId,
  reference: (field) => (field.list === 'organizations' ? bySchema(field) : isId),
  flag: () => (value) => typeof value === 'boolean',
  text: ({ max }) =>
    max === undefined ? isText : (value) => isText(value) && hasLength(value, max),
  choice:
    ({ values = [] }) =>
    (value) =>
      values.includes(value as string),
  time: () => isText,
}

function isId(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= maxId
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function hasLength(text: string, max: number): boolean {
  return text.length <= max || countCodePoints(text) <= max
}

function bySchema(field: Field): Check {
  const schema = valueSchema(field)
  return (value) => schema.safeParse(value).success
}
