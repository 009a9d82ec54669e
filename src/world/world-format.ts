import { isObject, mapValues } from '../utils/json.ts'
import { isDate } from '../utils/kinds.ts'
import { formatIsoTime } from './clock/clock.ts'

/** The version of the world format. A file without a version has version 1. */
export const formatVersion = 1

/** The highest id of a row. No row gets a higher one, because no world file can contain it. */
export const maxId = 9_000_000_000_000_000

/** Whether rows but organizations can have an id. */
export function isRowId(id: unknown): boolean {
  return Number.isInteger(id) && Number(id) >= 1 && Number(id) <= maxId
}

/** The objects of the scopes that operations can require: `project` only by a setting. */
export const scopeObjects = ['annotation', 'plugin', 'project'] as const

export const knownScopes: readonly string[] = scopeObjects.flatMap((object) => [
  `${object}:read`,
  `${object}:write`,
])

/** The maximum nesting of a stored JSON value. An exported world must stay within the limit of the body parser. */
export const maxJsonDepth = 900

/** Whether a value survives `JSON.stringify` and `JSON.parse` unchanged, within the maximum nesting. */
export function isJson(value: unknown, level = 0): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  // JSON has no Infinity, but `JSON.parse` returns it for `1e400`.
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || level === maxJsonDepth || !isPlain(value)) return false
  for (const child of Array.isArray(value) ? value : Object.values(value)) {
    if (!isJson(child, level + 1)) return false
  }
  return true
}

/** Whether an object is a list, or has no class. It can be of another realm. */
function isPlain(value: object) {
  if (Array.isArray(value)) return true
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.hasOwn(prototype, 'isPrototypeOf')
}

/** A row that a caller wrote in JavaScript, as JSON has it: without fields that are undefined, and with the text of a Date or URL. */
export function toGivenRow<Row>(row: Row): Row {
  if (!isObject(row)) return row
  // No row has more, and an error names a hundred.
  const entries = Object.entries(row)
    .filter(([, value]) => value !== undefined)
    .slice(0, 1_000)
  return Object.fromEntries(entries.map(([name, value]) => [name, toText(value)])) as Row
}

/** The same for each row of an object of lists. */
export function toGivenLists<Lists>(lists: Lists): Lists {
  const input = toGivenRow(lists)
  if (!isObject(input)) return input
  return mapValues(input, (rows) => (Array.isArray(rows) ? rows.map(toGivenRow) : rows))
}

function toText(value: unknown) {
  if (isDate(value) && !Number.isNaN(value.getTime())) return formatIsoTime(value.getTime())
  const text = isObject(value) && typeof value.toJSON === 'function' ? value.toJSON() : null
  return typeof text === 'string' ? text : value
}
