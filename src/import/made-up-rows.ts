import type { SeenRequest, SeenRow } from '../mistakes/seen-request.ts'
import { formatIsoTime } from '../world/clock/clock.ts'
import { maxId } from '../world/world-format.ts'
import { timeOf } from './later-responses.ts'
import type { RowsSeen } from './rows-seen.ts'
import type { TrafficReplay } from './traffic-replay.ts'

export const notShown = 'Not shown in the traffic'

/** If a list lacks more rows than this, none is made up. */
const maxMadeUp = 10_000

export interface Side {
  /** The nearest one first */
  readonly rows: readonly SeenRow[]
  readonly more: number
  /** The row of the page at this end, or else of the list */
  readonly next: SeenRow | undefined
}

export type Place = 'front' | 'behind'

interface MadeUp extends Side {
  readonly place: Place
  readonly count: number
  /** Whether they come now, before all others */
  readonly isNew: boolean
}

interface Surroundings {
  readonly request: SeenRequest
  readonly rows: RowsSeen
  readonly replay: TrafficReplay
  readonly ids: { readonly shown: ReadonlySet<number>; readonly taken: Set<number> }
  readonly newest: number
}

const day = 86_400_000

/** The time of a row right before or after another one. Null for one without a date */
export function dateBeside(
  next: SeenRow | undefined,
  place: Place,
  others: readonly SeenRow[],
  isNew = false,
): string | null {
  const bound = next ? timeOf(next) : Number.NaN
  // All rows with a date come after those without one, whatever their ids are.
  const isBehindUndated = place === 'behind' && bound === Number.POSITIVE_INFINITY
  const time = Number.isNaN(bound) || isBehindUndated ? Date.parse('2024-01-01T00:00:00Z') : bound
  const limit = place === 'front' && others[0] ? timeOf(others[0]) : Number.POSITIVE_INFINITY
  const step = place === 'behind' ? -day : isNew ? day : time + 1 < limit ? 1 : 0
  return time === Number.POSITIVE_INFINITY ? null : formatIsoTime(time + step)
}

/** Rows that no response shows, beside a row of a page or at the end of the list. */
export function madeUpRows(
  { rows: others, next, place, count, isNew }: MadeUp,
  { request, rows, replay, ids, newest }: Surroundings,
): SeenRow[] {
  const { list } = rows
  const isPlugin = list === 'plugins'
  const text = request.terms.join(' ') || notShown
  const date_marker = dateBeside(next, place, others, isNew)
  const fields = isPlugin
    ? { name: text }
    : { content: text, date_marker, scope: 'project', creation_type: 'USR' }
  // Plugins are in the order of their ids, and so are annotations of the same time.
  const nextId = Number(next?.id ?? 0)
  const isTied = date_marker === null || (place === 'front' && date_marker === next?.date_marker)
  const beside = isNew
    ? others.reduce((highest, { id }) => Math.max(highest, Number(id)), nextId)
    : Number(request.rows.at(-1)?.id ?? 0)
  const isDown = isPlugin && place === 'front' && nextId > 0
  const ofPlugins = place === 'front' ? nextId : beside
  const least = isPlugin ? ofPlugins : isNew ? newest : isTied ? nextId : 0
  const step = isDown ? -1 : 1
  const filler: SeenRow[] = []
  if (count > maxMadeUp) return filler
  for (let id = least + step; id > 0 && id < maxId && filler.length < count; id += step) {
    const isTaken =
      ids.shown.has(id) || ids.taken.has(id) || rows.created.has(id) || rows.missing.has(id)
    if (isTaken || replay.rowOf(list, id) !== undefined) continue
    ids.taken.add(id)
    filler.push({ id, ...fields })
  }
  return filler
}
