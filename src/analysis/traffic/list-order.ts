import { parseInteger, parseUuid } from '../../utils/python/text.ts'
import { foldText } from '../../world/table/text-search.ts'

/** The fields by which lists are sorted. */
type Sortable = Readonly<Record<string, unknown>>

/** Compares two rows as their list sorts them. */
export type CompareRows = (a: Sortable, b: Sortable) => number

/** Newest date_marker first, rows without one before all others, and equal ones by descending id. */
export function compareAnnotations(a: Sortable, b: Sortable): number {
  if (a.date_marker === b.date_marker) return Number(b.id) - Number(a.id)
  const [first, second] = [a.date_marker, b.date_marker].map((time) =>
    typeof time === 'string' ? Date.parse(time) : Number.POSITIVE_INFINITY,
  ) as [number, number]
  if (first !== second) return first > second ? -1 : 1
  const [one, other] = [String(a.date_marker), String(b.date_marker)]
  if (one !== other) return one > other ? -1 : 1
  return Number(b.id) - Number(a.id)
}

export function compareIds(a: Sortable, b: Sortable): number {
  return Number(a.id) - Number(b.id)
}

/** Whether the list of a project or an organization has a row that belongs to another one, or to it. */
export function isVisible(
  row: Readonly<Record<string, unknown>>,
  owner: string | undefined,
  parent: string,
): boolean {
  if (row.scope === 'organization' || row.is_global === true) return true
  return owner === undefined || normalizeParent(owner) === normalizeParent(parent)
}

function normalizeParent(text: string): string {
  return String(parseInteger(text) ?? parseUuid(text) ?? text)
}

/** Whether a row is among the results of a search. */
export function matches(
  row: Readonly<Record<string, unknown>>,
  search: readonly string[],
): boolean {
  if (search.length === 0) return true
  const folded = typeof row.content === 'string' ? foldText(row.content) : ''
  return search.every((term) => folded.includes(term))
}
