import { formatIsoTime } from '../world/clock/clock.ts'
import type { Observation, SeenRow } from './observation.ts'
import type { RowsSeen } from './rows-seen.ts'
import type { TrafficReplay } from './traffic-replay.ts'

export const notShown = 'Not shown in the traffic'

/** More made-up rows in a list would make a file too long to read. */
export const maxMadeUp = 1_000

/** Rows before or behind a page. */
export interface Side {
  /** The nearest one first */
  readonly rows: readonly SeenRow[]
  readonly more: number
  /** The row of the page at this end, or else of the list */
  readonly next: SeenRow | undefined
}

export type Place = 'front' | 'behind'

/** Where rows are made up. */
interface MadeUp extends Side {
  readonly place: Place
  readonly count: number
  /** Whether they come now, before all others */
  readonly isNew: boolean
}

interface Surroundings {
  readonly observation: Observation
  readonly rows: RowsSeen
  readonly replay: TrafficReplay
  readonly ids: { readonly shown: ReadonlySet<number>; readonly taken: Set<number> }
  /** The highest id that was shown */
  readonly newest: number
}

export const timeOf = ({ date_marker: time }: SeenRow): number =>
  typeof time === 'string' ? Date.parse(time) : Number.POSITIVE_INFINITY

const day = 86_400_000

/** The time of a row right before or after another one. Null for one without a date */
export function dateBeside(
  next: SeenRow | undefined,
  place: Place,
  others: readonly SeenRow[],
  isNew = false,
): string | null {
  const known = next ? timeOf(next) : Number.NaN
  // All rows with a date come after those without one, whatever their ids are.
  const isBehindUndated = place === 'behind' && known === Number.POSITIVE_INFINITY
  const time = Number.isNaN(known) || isBehindUndated ? Date.parse('2024-01-01T00:00:00Z') : known
  const limit = place === 'front' && others[0] ? timeOf(others[0]) : Number.POSITIVE_INFINITY
  const step = place === 'behind' ? -day : isNew ? day : time + 1 < limit ? 1 : 0
  return time === Number.POSITIVE_INFINITY ? null : formatIsoTime(time + step)
}

/** Annotations that no response shows, beside a row of a page or at the end of the list. */
export function madeUpRows(
  { rows: others, next, place, count, isNew }: MadeUp,
  { observation, rows, replay, ids, newest }: Surroundings,
): SeenRow[] {
  const content = observation.page?.search.join(' ') || notShown
  const date_marker = dateBeside(next, place, others, isNew)
  const isTied = date_marker === null || (place === 'front' && date_marker === next?.date_marker)
  // Annotations of the same time are in the order of their ids.
  const least = isNew ? newest : isTied ? Number(next?.id ?? 0) : 0
  const made: SeenRow[] = []
  for (let id = least + 1; made.length < Math.min(count, maxMadeUp); id += 1) {
    const isTaken =
      ids.shown.has(id) || ids.taken.has(id) || rows.created.has(id) || rows.missing.has(id)
    if (isTaken || replay.rowOf('annotations', id) !== undefined) continue
    ids.taken.add(id)
    made.push({ id, content, date_marker, scope: 'project', creation_type: 'USR' })
  }
  return made
}
