import type { JournalEntry } from '../../journal/entry.ts'

/** Which requests are shown. */
export interface RequestFilter {
  /** Every word of it stands in the line of a request: `patch annotations 404` */
  readonly text: string
  readonly status: StatusChoice
  /** Only those that changed rows */
  readonly changed: boolean
}

export const statusChoices = ['any', '2xx', '4xx', '5xx', 'disturbed', 'unknown path'] as const
export type StatusChoice = (typeof statusChoices)[number]

export const everything: RequestFilter = { text: '', status: 'any', changed: false }

export function isShown(entry: JournalEntry, { text, status, changed }: RequestFilter): boolean {
  if (changed && entry.changes.length === 0) return false
  if (!hasStatus(entry, status)) return false
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const line = words.length === 0 ? '' : lineOf(entry)
  return words.every((word) => line.includes(word))
}

function hasStatus({ answer, fault, operation }: JournalEntry, choice: StatusChoice): boolean {
  if (choice === 'any') return true
  if (choice === 'disturbed') return fault !== null
  if (choice === 'unknown path') return operation === null
  return String(answer.status).startsWith(choice.slice(0, 1))
}

/** All that a word is looked for in. */
function lineOf({ method, path, query, operation, key, answer }: JournalEntry): string {
  const parts = [method, path, ...Object.entries(query).map((pair) => pair.join('='))]
  return [...parts, operation, key?.label, key?.value, answer.status].join(' ').toLowerCase()
}
