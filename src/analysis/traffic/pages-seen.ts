import type { RowHistory } from './row-history.ts'
import { type CompareRows, isCounted, isVisible, matches, type SeenPage } from './seen-lists.ts'
import type { SeenList, SeenRow, Sighting } from './sighting.ts'

/** The pages of one list: of a project or an organization, with the same search. */
export interface SeenPages {
  /** The id of the project or organization in the path */
  readonly parent: string
  readonly search: readonly string[]
  readonly pages: SeenPage[]
  /** The ids of shown rows that do not contain the words of the search */
  readonly unmatched: Set<number>
}

type Row = Readonly<Record<string, unknown>>

/** How a list differs from the one before the first request, while the requests are followed. */
interface FollowedList extends SeenPages {
  /** The rows that were added since (1) or removed (-1), by their ids */
  readonly changes: Map<number, { readonly row: Row; readonly by: 1 | -1 }>
  /** The sum of the changes */
  shift: number
  /** The pages as JSON */
  readonly texts: Set<string>
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
  return new PageCollector(history, compare).collect(sightings)
}

class PageCollector {
  readonly #name: string
  readonly #compare: CompareRows
  readonly #initial: ReadonlyMap<number, Row>
  readonly #current: Map<number, Row | null>
  readonly #parents: Map<number, string>
  readonly #lists = new Map<string, FollowedList>()

  constructor({ name, initial }: RowHistory, compare: CompareRows) {
    this.#name = name
    this.#compare = compare
    this.#initial = new Map(initial.map(({ id, fields }) => [id, fields]))
    this.#current = new Map(this.#initial)
    this.#parents = new Map(initial.map(({ id, parent }) => [id, parent]))
  }

  collect(sightings: readonly Sighting[]): SeenPages[] {
    for (const sighting of sightings) {
      const { operation, params, rows, list, status } = sighting
      if (!operation?.includes(this.#name)) continue
      const parent = params.project_id ?? params.organization_id ?? ''
      // A page counts its own rows, also one that a request created whose response was lost.
      for (const row of rows) this.#set(Number(row.id), row, parent)
      if (isCounted(list) && status === 200) this.#addPage(list, rows, parent)
      if (operation === 'deletePlugin' && status === 204) this.#set(Number(params.id), null, parent)
    }
    return [...this.#lists.values()]
  }

  /** Sets the current state of a row, and what that changes in each list. */
  #set(id: number, row: Row | null, parent: string): void {
    if (!this.#parents.has(id)) this.#parents.set(id, parent)
    if (this.#current.get(id) === row) return
    this.#current.set(id, row)
    for (const list of this.#lists.values()) this.#update(list, id)
  }

  #update(list: FollowedList, id: number): void {
    const [before, now] = [this.#initial.get(id), this.#current.get(id)]
    const [was, is] = [this.#isListed(before, id, list), this.#isListed(now, id, list)]
    list.shift -= list.changes.get(id)?.by ?? 0
    list.changes.delete(id)
    if (was === is) return
    const by = is ? 1 : -1
    list.changes.set(id, { row: (now ?? before) as Row, by })
    list.shift += by
  }

  #isListed(row: Row | null | undefined, id: number, { parent, search }: FollowedList): boolean {
    if (!row || row.deleted === true) return false
    return isVisible(row, this.#parents.get(id), parent) && matches(row, search)
  }

  #addPage(
    { search, offset, count }: SeenList & { readonly count: number },
    rows: readonly SeenRow[],
    parent: string,
  ): void {
    const list = this.#find(parent, search)
    for (const row of rows) if (!matches(row, search)) list.unmatched.add(Number(row.id))
    const matching = rows.filter((row) => {
      const before = this.#initial.get(Number(row.id))
      return (
        before !== undefined &&
        this.#compare(before, row) === 0 &&
        this.#isListed(before, Number(row.id), list)
      )
    })
    const page: SeenPage = {
      ids: matching.map(({ id }) => Number(id)),
      start: offset === 0 ? 0 : Math.max(0, offset - this.#shiftBefore(list, rows[0])),
      count: Math.max(0, count - list.shift),
      isFirst: offset === 0,
      isLast: offset + rows.length >= count,
    }
    // A client that polls sees the same page again and again.
    const text = JSON.stringify(page)
    if (list.texts.has(text)) return
    list.texts.add(text)
    list.pages.push(page)
  }

  /** How many rows were added before a row since the first request, less those that were removed. */
  #shiftBefore({ changes }: FollowedList, first: SeenRow | undefined): number {
    if (!first) return 0
    let shift = 0
    for (const { row, by } of changes.values()) {
      if (row.id !== first.id && this.#compare(row, first) < 0) shift += by
    }
    return shift
  }

  #find(parent: string, search: readonly string[]): FollowedList {
    const name = `${parent} ${search.join(' ')}`
    const known = this.#lists.get(name)
    if (known) return known
    const changes: FollowedList['changes'] = new Map()
    const list: FollowedList = {
      ...{ parent, search, pages: [], unmatched: new Set() },
      ...{ changes, shift: 0, texts: new Set() },
    }
    this.#lists.set(name, list)
    for (const id of this.#current.keys()) this.#update(list, id)
    return list
  }
}
