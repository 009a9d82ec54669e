import type { JournalEntry } from '../../journal/entry.ts'

/** Which requests are shown. */
export interface RequestFilter {
  /** Every word of it stands in the line of a request: `patch annotations 404` */
  readonly text: string
  readonly status: StatusOption
  /** Only those that changed rows */
  readonly changedOnly: boolean
}

export const statusOptions = ['any', '2xx', '4xx', '5xx', 'disturbed', 'unknown path'] as const
export type StatusOption = (typeof statusOptions)[number]

export const emptyRequestFilter: RequestFilter = { text: '', status: 'any', changedOnly: false }

export function matchesFilter(
  entry: JournalEntry,
  { text, status, changedOnly }: RequestFilter,
): boolean {
  if (changedOnly && entry.changes.length === 0) return false
  if (!matchesStatus(entry, status)) return false
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const line = words.length === 0 ? '' : searchableText(entry)
  return words.every((word) => line.includes(word))
}

function matchesStatus({ answer, fault, operation }: JournalEntry, choice: StatusOption): boolean {
  if (choice === 'any') return true
  if (choice === 'disturbed') return fault !== null
  if (choice === 'unknown path') return operation === null
  return String(answer.status).startsWith(choice.slice(0, 1))
}

/** All that a word is looked for in. */
function searchableText({ method, path, query, operation, key, answer }: JournalEntry): string {
  const parts = [method, path, ...Object.entries(query).map((pair) => pair.join('='))]
  return [...parts, operation, key?.label, key?.value, answer.status].join(' ').toLowerCase()
}
