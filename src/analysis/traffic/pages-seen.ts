import { isCounted, type SeenPage } from './list-gaps.ts'
import { type CompareRows, isVisible, matches } from './list-order.ts'
import type { RowHistory } from './row-history.ts'
import type { SeenRow, Sighting } from './sighting.ts'

/** The pages of one list: of a project or an organization, with the same search. */
export interface SeenPages {
  /** The id of the project or organization in the path */
  readonly parent: string
  readonly search: readonly string[]
  readonly pages: SeenPage[]
}

/**
 * Reads the pages of lists in terms of the rows before the first request: what requests added, removed or moved since
 * is subtracted.
 */
export function collectPages(
  history: RowHistory,
  sightings: readonly Sighting[],
  compare: CompareRows,
): SeenPages[] {
  const initial = new Map(history.initial.map(({ id, fields }) => [id, fields]))
  const current = new Map<number, SeenRow | null>(
    history.initial.map(({ id, fields }) => [id, fields as SeenRow]),
  )
  const parents = new Map(history.initial.map(({ id, parent }) => [id, parent]))
  const lists = new Map<string, SeenPages>()
  for (const { operation, params, rows, list, status } of sightings) {
    if (!operation?.includes(history.name)) continue
    const parent = params.project_id ?? params.organization_id ?? ''
    // A page counts its own rows, also one that a request created whose response was lost.
    for (const row of rows) {
      const id = Number(row.id)
      current.set(id, row)
      if (!parents.has(id)) parents.set(id, parent)
    }
    if (isCounted(list) && status === 200) {
      const { search, offset, count } = list
      const isListed = (row: Readonly<Record<string, unknown>> | null | undefined, id: number) =>
        row != null &&
        row.deleted !== true &&
        isVisible(row, parents.get(id), parent) &&
        matches(row, search)
      const ids = new Set([...initial.keys(), ...current.keys()])
      const changes = [...ids].flatMap((id) => {
        const [was, is] = [isListed(initial.get(id), id), isListed(current.get(id), id)]
        return was === is
          ? []
          : [{ row: (current.get(id) ?? initial.get(id)) as SeenRow, by: is ? 1 : -1 }]
      })
      const [first] = rows
      const shiftBefore = changes
        .filter(({ row }) => first !== undefined && row.id !== first.id && compare(row, first) < 0)
        .reduce((sum, { by }) => sum + by, 0)
      const shift = changes.reduce((sum, { by }) => sum + by, 0)
      const kept = rows.filter((row) => {
        const before = initial.get(Number(row.id))
        return (
          before !== undefined && compare(before, row) === 0 && isListed(before, Number(row.id))
        )
      })
      const name = `${parent} ${search.join(' ')}`
      const seen: SeenPages = lists.get(name) ?? { parent, search, pages: [] }
      lists.set(name, seen)
      seen.pages.push({
        ids: kept.map(({ id }) => Number(id)),
        start: Math.max(0, offset - shiftBefore),
        count: Math.max(0, count - shift),
        isFirst: offset === 0,
        isLast: offset + rows.length >= count,
      })
    }
    if (operation === 'deletePlugin' && status === 204) current.set(Number(params.id), null)
  }
  return [...lists.values()]
}
