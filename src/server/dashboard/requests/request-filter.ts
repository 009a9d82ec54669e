import type { JournalEntry } from '../../../sandbox/journal/entry.ts'
import { matchesWords } from '../kit/format.ts'

/** Selects the requests that are shown. */
export interface RequestFilter {
  /** Words that must all occur in a request: `patch annotations 404` */
  readonly text: string
  readonly status: StatusOption
  /** Whether to show only requests that changed rows */
  readonly changedOnly: boolean
}

export const statusOptions = [
  'any',
  '2xx',
  '4xx',
  '5xx',
  'with fault',
  'no matching operation',
] as const
export type StatusOption = (typeof statusOptions)[number]

export const emptyRequestFilter: RequestFilter = { text: '', status: 'any', changedOnly: false }

export function matchesFilter(
  entry: JournalEntry,
  { text, status, changedOnly }: RequestFilter,
): boolean {
  if (changedOnly && entry.changes.length === 0) return false
  if (!matchesStatus(entry, status)) return false
  return text.trim() === '' || matchesWords(searchableText(entry), text)
}

function matchesStatus(entry: JournalEntry, option: StatusOption): boolean {
  if (option === 'any') return true
  if (option === 'with fault') return entry.fault !== null
  if (option === 'no matching operation') return entry.operation === null
  return String(entry.response.status).startsWith(option.slice(0, 1))
}

function searchableText(entry: JournalEntry): string {
  const { method, path, query, operation, key, response } = entry
  const pairs = Object.entries(query).map((pair) => pair.join('='))
  return [method, path, ...pairs, operation, key?.label, key?.value, response.status].join(' ')
}
