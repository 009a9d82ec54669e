import { type Issue, schemaIssues } from '../../utils/errors.ts'
import type { ListName, Tables } from '../tables.ts'
import { findDanglingReferences } from './references.ts'
import { rowSchemas } from './world-schema.ts'

/**
 * Finds the issues of a row that is about to be written: of its fields, else of its references.
 *
 * @param before the row that it replaces. A field with the same value is not checked, because it can have been written
 *   under other settings
 */
export function findRowIssues(
  tables: Tables,
  list: ListName,
  row: object,
  before?: object,
): Issue[] {
  const isChanged = ({ path: [field] }: Issue): boolean =>
    !before || !field || Reflect.get(row, field) !== Reflect.get(before, field)
  const issues = schemaIssues(rowSchemas()[list], row).filter(isChanged)
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
