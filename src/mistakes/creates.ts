import type { JournalChange } from '../simulator/journal/entry.ts'
import { isObject } from '../utils/json.ts'
import type { ClientRequest } from './client-request.ts'

export function isCreate({ verb }: ClientRequest): boolean {
  return verb === 'create'
}

/** The row that a request created. Undefined for none */
export function createdIn({ changes }: ClientRequest): JournalChange | undefined {
  return changes.find(({ kind }) => kind === 'created')
}

/** Whether the client may not know that a row was created: it can give up within a body that comes slowly, too. */
export function hasNoAnswer(request: ClientRequest): boolean {
  const isCut = request.faultEffect.cut_bytes !== undefined
  return request.isLost || isCut || hasError(request)
}

/** Whether a complete response denies a row that was created. */
export function hasError(request: ClientRequest): boolean {
  return !request.isLost && request.status >= 500 && createdIn(request) !== undefined
}

/** The body of a request, in a form that can be compared. */
export function sentBody({ sent }: ClientRequest): string {
  return JSON.stringify(sent, sortFields)
}

/** Sorts the fields of objects, so that bodies with equal fields are equal. */
function sortFields(_name: string, value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** @returns whether one of the changes of a request deletes a row. Null if none of them deletes one */
export function deletionsIn(
  changes: readonly JournalChange[],
): ((row: JournalChange | undefined) => boolean) | null {
  const deletions = changes.filter(isDeletion)
  if (deletions.length === 0) return null
  return (row) => deletions.some(({ list, id }) => row?.list === list && row.id === id)
}

/** Whether a change hides a row from lists, or removes it. */
export function isDeletion({ kind, fields }: JournalChange): boolean {
  return kind === 'removed' || fields.deleted?.[1] === true
}
