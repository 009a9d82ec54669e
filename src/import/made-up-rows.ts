import { formatIsoTime } from '../world/clock/clock.ts'
import type { StartRow } from './history.ts'
import type { Observation, SeenRow } from './observation.ts'
import type { RowsSeen } from './rows-seen.ts'
import type { TrafficReplay } from './traffic-replay.ts'

export const notShown = 'Not shown in the traffic'

/** More made-up rows in a list would make a file too long to read. */
export const maxMadeUp = 1_000

export type Place = 'front' | 'behind'

/** Rows before or behind a page. */
export interface Side {
  readonly rows: readonly SeenRow[]
  readonly more: number
  /** The row of the page at this end, or else of the list */
  readonly next: SeenRow | undefined
}

/** What decides which rows can go. */
export interface Known {
  readonly observation: Observation
  readonly rows: RowsSeen
  /** The ids that requests up to this one have shown */
  readonly shownBefore: ReadonlySet<number>
  readonly shownLater: ReadonlySet<number>
  /** The ids of rows that came while the requests were sent */
  readonly came: readonly number[]
  /** The highest id of a row that was created before the list was read last */
  readonly newest: number
  readonly replay: TrafficReplay
}

export const timeOf = ({ date_marker: time }: SeenRow): number =>
  typeof time === 'string' ? Date.parse(time) : Number.POSITIVE_INFINITY

const day = 86_400_000

/** Rows that no response shows, beside a row of a page or at the end of the list. */
export function madeUpRows(
  { rows: others, next }: Side,
  side: Place,
  more: number,
  ids: FreeIds,
  { observation, rows: { list } }: Known,
): SeenRow[] {
  const { isNew } = ids
  const text = observation.page?.search.join(' ') || notShown
  const count = Math.min(more, ids.room)
  const known = next ? timeOf(next) : Number.NaN
  // All rows with a date come after those without one, whatever their ids are.
  const isBehindUndated = side === 'behind' && known === Number.POSITIVE_INFINITY
  const time = Number.isNaN(known) || isBehindUndated ? Date.parse('2024-01-01T00:00:00Z') : known
  const limit =
    others[0] && side === 'front' && !isNew ? timeOf(others[0]) : Number.POSITIVE_INFINITY
  const step = side === 'behind' ? -day : isNew ? day : time + 1 < limit ? 1 : 0
  const date_marker = time === Number.POSITIVE_INFINITY ? null : formatIsoTime(time + step)
  const made: SeenRow[] = []
  while (made.length < count) {
    const id =
      list === 'plugins'
        ? side === 'front' && !isNew
          ? ids.between(Number(others[0]?.id ?? 0), Number(next?.id ?? Number.POSITIVE_INFINITY))
          : ids.between(Math.max(0, Number(next?.id ?? 0), ...others.map((row) => Number(row.id))))
        : step === 0 || time === Number.POSITIVE_INFINITY
          ? ids.between(
              Number(next?.id ?? 0),
              !isNew && others[0] && timeOf(others[0]) === time ? Number(others[0].id) : undefined,
            )
          : ids.between(0)
    if (id === undefined) break
    const fields =
      list === 'annotations'
        ? { content: text, date_marker, scope: 'project', creation_type: 'USR' }
        : { name: text }
    made.push({ id, ...fields })
  }
  return made
}

/** Ids that no response shows, no request names, and no row has. */
export class FreeIds {
  readonly #isUsed: (id: number) => boolean
  readonly #next = new Map<number, number>()
  /** Whether the rows come now */
  readonly isNew: boolean
  /** How many more rows can be made up */
  readonly room: number
  /** Between which ids to look, one range after another */
  readonly #ranges: (readonly [after: number, before: number])[]

  /** @param start null for rows that come now */
  constructor(
    { rows: { list, shown, created, missing }, replay, came, newest, shownBefore }: Known,
    start: ReadonlyMap<string, StartRow> | null,
  ) {
    this.isNew = start === null
    // Ids below those of rows that came are free at any time.
    this.#ranges = [[0, Math.min(...came)]]
    // A row that comes now is newer than the last page. With an id above the next row, that would get another one.
    const next = Math.min(...came.filter((id) => !shownBefore.has(id)))
    if (this.isNew) this.#ranges.push([newest, next])
    // The ids are the order of the list, which is what responses show.
    if (list === 'plugins') this.#ranges.push([0, Number.POSITIVE_INFINITY])
    const made = [...(start?.values() ?? [])].filter((row) => row.list === list && row.isMadeUp)
    this.room = Math.max(0, maxMadeUp - made.length)
    this.#isUsed = (id) =>
      shown.has(id) ||
      created.has(id) ||
      missing.has(id) ||
      start?.has(`${list}/${id}`) ||
      replay.rowOf(list, id) !== undefined
  }

  between(least: number, most = Number.POSITIVE_INFINITY): number | undefined {
    for (const [after, before] of this.#ranges) {
      const low = Math.max(least, after)
      let id = Math.max(low + 1, this.#next.get(low) ?? 0)
      while (id < Math.min(most, before) && this.#isUsed(id)) id += 1
      if (id >= Math.min(most, before)) continue
      this.#next.set(low, id + 1)
      return id
    }
    return undefined
  }
}
