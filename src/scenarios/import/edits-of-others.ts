import { isSameJson } from '../../utils/json.ts'
import { formatIsoTime } from '../../world/clock/clock.ts'
import type { ChangeStep } from '../format/scenario.ts'
import { writtenValue } from './draft-rows.ts'
import { notShown } from './filler-rows.ts'
import type { Observation, SeenRow } from './observation.ts'
import { parentOf, type RowsSeen, type WrittenList } from './rows-seen.ts'
import type { SimulatedAnswer, TrafficReplay } from './traffic-replay.ts'
import { rowsOf, type SeenLists } from './unseen-changes.ts'

/** What others may have changed before a request, so that its response has the recorded rows. */
export function changesOfRows(
  observation: Observation,
  answer: SimulatedAnswer,
  seen: SeenLists,
  replay: TrafficReplay,
): ChangeStep[] {
  const { status, sent, method, params, key, page } = observation
  if (status === 401 && answer.status !== 401 && key !== null) return [{ revoke: key }]
  const rows = rowsOf(observation, seen)
  if (!rows) return []
  const { list } = rows
  const id = Number(params.id)
  if (status === 404) return answer.status < 300 && id > 0 ? [removal(list, [id])] : []
  if (status !== 200) return []
  const own = method === 'GET' ? {} : (sent ?? {})
  const added: object[] = []
  const updated: object[] = []
  for (const row of observation.rows) {
    const simulated = answer.rows.find((simulatedRow) => simulatedRow.id === row.id)
    const rowId = Number(row.id)
    if (!simulated && !replay.hasRow(list, rowId)) {
      if (rowId > 0) added.push(rows.asNewRow(row, parentOf(observation)))
      continue
    }
    const changed = changedFields(rows, row, simulated, own)
    if (Object.keys(changed).length > 0) updated.push({ id: rowId, ...changed })
  }
  const isWhole =
    page !== null &&
    page.count === observation.rows.length &&
    page.offset === 0 &&
    page.search.length === 0
  const shown = new Set(observation.rows.map((row) => row.id))
  const gone = isWhole ? answer.rows.filter((row) => !shown.has(row.id)) : []
  return [
    ...(added.length > 0 ? [{ rows: { [list]: added } } as ChangeStep] : []),
    ...(updated.length > 0 ? [{ update: { [list]: updated } } as ChangeStep] : []),
    ...(gone.length > 0 ? [removal(list, gone.map(idOf))] : []),
  ]
}

function removal(list: WrittenList, ids: readonly number[]): ChangeStep {
  return list === 'plugins'
    ? { delete: { plugins: ids } }
    : { update: { annotations: ids.map((id) => ({ id, deleted: true })) } }
}

function idOf({ id }: SeenRow): number {
  return Number(id)
}

/** The writable fields of a row that a simulator shows otherwise, or not at all, but for those of the request. */
function changedFields(
  { entity, list }: RowsSeen,
  row: SeenRow,
  simulated: SeenRow | undefined,
  own: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const changed = entity.stored.filter(
    ({ name, body }) =>
      body && name in row && !(name in own) && !isSameJson(simulated?.[name], row[name]),
  )
  const fields = changed.map((field) => [field.name, writtenValue(field, row[field.name])])
  const isHidden = simulated === undefined && list === 'annotations' && !('deleted' in row)
  return { ...Object.fromEntries(fields), ...(isHidden && { deleted: false }) }
}

/** How many rows came in front of a page and behind it. Less than 0 for rows that are gone. */
export interface Move {
  readonly inFront: number
  readonly behind: number
}

/**
 * Compares a recorded page with the whole list of a simulator.
 *
 * @returns null if the rows of the page are no section of the list
 */
export function measureMove(
  whole: readonly SeenRow[],
  { page, rows }: Pick<Observation, 'page' | 'rows'>,
): Move | null {
  if (page?.count == null) return null
  const { count, offset } = page
  if (rows.length === 0) return { inFront: count - whole.length, behind: 0 }
  const start = whole.findIndex(({ id }) => id === rows[0]?.id)
  if (start < 0 || rows.some(({ id }, at) => whole[start + at]?.id !== id)) return null
  const rest = whole.length - start - rows.length
  return { inFront: offset - start, behind: count - offset - rows.length - rest }
}

/**
 * The edits that move a page as far as the recorded one. Rows that no response shows are made up. Those that went are
 * ones that no later response shows.
 *
 * @returns null if no such rows can go
 */
export function movesOf(
  whole: readonly SeenRow[],
  observation: Observation,
  later: readonly Observation[],
  seen: SeenLists,
  replay: TrafficReplay,
): ChangeStep[] | null {
  const rows = rowsOf(observation, seen)
  const move = measureMove(whole, observation)
  if (!rows || !move) return null
  const { inFront, behind } = move
  const start = observation.rows.length === 0 ? whole.length : whole.findIndex(isFirst)
  const isKept = isShownBy(later, rows)
  const front = whole.slice(0, start).filter((row) => !isKept(row))
  const back = whole.slice(start + observation.rows.length).filter((row) => !isKept(row))
  // The rows next to the page: those that the client has read last, and those that it reads last. A row that nobody has
  // seen was skipped rather than deleted.
  const read = [...front].sort((a, b) => Number(isRead(a)) - Number(isRead(b)))
  const gone = [
    ...(inFront < 0 ? read.slice(inFront) : []),
    ...(behind < 0 ? back.slice(behind) : []),
  ]
  if (gone.length < Math.max(0, -inFront) + Math.max(0, -behind)) return null
  const ids = freeIds(rows, replay, Math.max(0, inFront) + Math.max(0, behind), whole)
  const added = ids.map((id, at) => {
    const isNewest = at < inFront
    return madeUpRow(id, observation, rows, isNewest ? whole[0] : whole.at(-1), isNewest)
  })
  return [
    ...(added.length > 0 ? [{ rows: { [rows.list]: added } } as ChangeStep] : []),
    ...(gone.length > 0 ? [removal(rows.list, gone.map(idOf))] : []),
  ]

  function isRead({ id }: SeenRow): boolean {
    return rows?.shown.has(Number(id)) ?? false
  }

  function isFirst({ id }: SeenRow): boolean {
    return id === observation.rows[0]?.id
  }
}

/** Whether a later response shows a row. */
function isShownBy(later: readonly Observation[], { list }: RowsSeen): (row: SeenRow) => boolean {
  const shown = new Set(
    later
      .filter((observation) => observation.list === list && observation.status < 300)
      .flatMap(({ rows, params }) => [...rows.map(idOf), Number(params.id)]),
  )
  return (row) => shown.has(idOf(row))
}

/** Ids that no response shows, no request names, and no row has. Plugins are ordered by them, and a new one is the last. */
function freeIds(
  { list, shown, created, missing }: RowsSeen,
  replay: TrafficReplay,
  count: number,
  whole: readonly SeenRow[],
): number[] {
  const ids: number[] = []
  const isLast = list === 'plugins'
  for (let id = isLast ? Math.max(0, ...whole.map(idOf)) + 1 : 1; ids.length < count; id += 1) {
    const isNamed = !isLast && missing.has(id)
    const isUsed = shown.has(id) || created.has(id) || isNamed || replay.hasRow(list, id)
    if (!isUsed) ids.push(id)
  }
  return ids
}

const day = 86_400_000

/** A row at an end of a list. @param last the row that is there now */
function madeUpRow(
  id: number,
  observation: Observation,
  rows: RowsSeen,
  last: SeenRow | undefined,
  isNewest: boolean,
): Record<string, unknown> {
  const text = observation.page?.search.join(' ') || notShown
  const time = Date.parse(String(last?.date_marker))
  // Rows without a time come first.
  const date_marker = Number.isNaN(time) ? null : formatIsoTime(time + (isNewest ? day : -day))
  const isAnnotation = rows.list === 'annotations'
  const fields = isAnnotation ? { content: text, date_marker, scope: 'project' } : { name: text }
  return rows.asNewRow({ id, ...fields }, parentOf(observation))
}
