import { isSafeMethod } from '../../http/url.ts'
import { hasBrokenBody } from '../../mistakes/client-request.ts'
import type { JournalEntry } from '../../simulator/journal/entry.ts'

/** @example 'response lost after the write' */
export function describeFailure(entry: JournalEntry): string {
  const { method, response, fault, changes } = entry
  const { status } = response
  const afterWrite = changes.length > 0 ? ' after the write' : ''
  if (status === 0 || hasBrokenBody(entry)) {
    if (Object(fault?.effect).cut_bytes !== undefined) return `response cut off${afterWrite}`
    if (isSafeMethod(method)) return 'response lost'
    return afterWrite ? `response lost${afterWrite}` : 'connection lost before the write'
  }
  if (status === 429) return 'throttled'
  return isRefused(entry) ? `refused with ${status}` : `failed with ${status}${afterWrite}`
}

/** Whether the service refused a request that failed by its rules. */
export function isRefused({ fault, response }: JournalEntry): boolean {
  return fault === null && response.status < 500
}

/** The first failure, and how many more there are. @param failures clauses, at least one */
export function countFailures([first = '', ...others]: readonly string[]): string {
  const more = others.length === 1 ? 'one more failure' : `${others.length} more failures`
  return others.length === 0 ? first : `${first}, and ${more}`
}

/** Finds reads and deletions that find no row because the client itself had deleted it. They are no failures. */
export function findOfDeletedRows(entries: readonly JournalEntry[]): ReadonlySet<JournalEntry> {
  const deleted = new Set<string>()
  return new Set(
    entries.filter(({ method, path, response, fault, changes }) => {
      const isDeletion = changes.some(
        ({ kind, fields }) => kind === 'removed' || fields.deleted?.[1] === true,
      )
      if (isDeletion) deleted.add(path)
      const wantsNoRow = method === 'GET' || method === 'HEAD' || method === 'DELETE'
      return wantsNoRow && response.status === 404 && fault === null && deleted.has(path)
    }),
  )
}
