import { type Issue, schemaIssues } from '../../utils/errors.ts'
import { entities } from '../entities/entities.ts'
import { accepts, type Field, type WritingSettings } from '../entities/field.ts'
import type { ListName, Tables } from '../tables.ts'
import { findDanglingReferences } from './references.ts'
import { rowSchemas } from './world-schema.ts'

/** Finds the issues of the fields of a row. What clients can write under these settings is none. */
export function findFieldIssues(list: ListName, row: object, settings: WritingSettings): Issue[] {
  return schemaIssues(rowSchemas()[list], row).filter(
    ({ path }) => !isWritable(list, row, path, settings),
  )
}

/** Whether the value at a path in a row is a text that clients can write under these settings. */
function isWritable(
  list: ListName,
  row: object,
  [name = '', ...rest]: Issue['path'],
  settings: WritingSettings,
): boolean {
  const fields: Readonly<Record<PropertyKey, Field>> = entities[list].fields
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (!field || rest.length > 0) return false
  const value: unknown = Reflect.get(row, name)
  return typeof value === 'string' && accepts(field, value, settings)
}

/** A world whose rows are written. */
interface WrittenWorld {
  readonly tables: Tables
  readonly settings?: WritingSettings
}

/**
 * Finds the issues of a row that is about to be written: of its fields, else of its references.
 *
 * @param before the row that it replaces. A field with the same value is not checked, because it can have been written
 *   under other settings
 */
export function findRowIssues(
  { tables, settings }: WrittenWorld,
  list: ListName,
  row: object,
  before?: object,
): Issue[] {
  const isChanged = ({ path: [field] }: Issue): boolean =>
    !before || !field || Reflect.get(row, field) !== Reflect.get(before, field)
  const issues = findFieldIssues(list, row, settings).filter(isChanged)
  if (issues.length > 0) return issues
  return findMissingRows(tables, list, row)
}

/** Finds the references of a row to rows that these tables do not have. */
export function findMissingRows(tables: Tables, list: ListName, row: object): Issue[] {
  return findDanglingReferences(list, row, (target, id) => {
    if (target === 'organizations') return tables.organizations.get(String(id)) !== undefined
    return typeof id === 'number' && tables[target].get(id) !== undefined
  })
}
