import type { JournalChange, JournalEntry } from '../simulator/journal/entry.ts'
import { isObject } from '../utils/json.ts'
import type { ClientRequest } from './client-request.ts'

export function isCreate({ verb }: ClientRequest): boolean {
  return verb === 'create'
}

/** The row that a request created. Undefined for none */
export function createdIn({ changes }: JournalEntry): JournalChange | undefined {
  return changes.find(({ kind }) => kind === 'created')
}

/** Whether the client may not know that a row was created: it can give up within a body that comes slowly, too. */
export function hasNoAnswer(request: ClientRequest): boolean {
  const isCut = Object(request.entry.fault?.effect).cut_bytes !== undefined
  return request.isLost || isCut || hasError(request)
}

/** Whether a complete response denies a row that was created. */
export function hasError({ entry, isLost }: ClientRequest): boolean {
  return !isLost && entry.response.status >= 500 && createdIn(entry) !== undefined
}

/** The body of a request, in a form that can be compared. */
export function sentBody({ entry }: ClientRequest): string {
  return JSON.stringify(entry.request.body, sortFields)
}

/** Sorts the fields of objects, so that bodies with equal fields are equal. */
function sortFields(_name: string, value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Whether a change hides a row from lists, or removes it. */
export function isDeletion({ kind, fields }: JournalChange): boolean {
  return kind === 'removed' || fields.deleted?.[1] === true
}
