import { isSuccess } from '../http/messages.ts'
import type { ChangeStep } from '../scenarios/format/scenario.ts'
import { isSameJson } from '../utils/json.ts'
import { writtenValue } from './draft-rows.ts'
import { type History, isLike, nameOf, type StartRow, withEdits, withNewRows } from './history.ts'
import { FreeIds, type Known, madeUpRows, type Place, type Side, timeOf } from './made-up-rows.ts'
import { isUsual, type Observation, type SeenRow } from './observation.ts'
import { type FirstShown, parentOf, type RowsSeen, type WrittenList } from './rows-seen.ts'
import type { Checkpoint, SimulatedAnswer, TrafficReplay } from './traffic-replay.ts'

/** What must be otherwise so that a simulator answers as recorded: before the first request, or right before this one. */
interface Repair {
  readonly added: readonly SeenRow[]
  readonly changed: readonly { readonly id: number; readonly fields: Record<string, unknown> }[]
  /** Rows that are in the way, those that go rather first */
  readonly extra: readonly SeenRow[]
  /** Rows before and behind a page, the nearest one first, and how many more there must be. Less than 0 for fewer */
  readonly front: Side
  readonly behind: Side
}

const noSide: Side = { rows: [], more: 0, next: undefined }

/** @param whole the list of which a page was read, as the simulator has it. Null for another request */
export function repairOf(
  observation: Observation,
  answer: SimulatedAnswer,
  rows: RowsSeen,
  whole: readonly SeenRow[] | null,
  replay: TrafficReplay,
): Repair | null {
  const { status, method, sent, params, page } = observation
  const id = Number(params.id)
  if (status === 404) {
    const gone = answer.status < 300 && id > 0 ? [{ id }] : []
    return { added: [], changed: [], extra: gone, front: noSide, behind: noSide }
  }
  if (status >= 300 || status === 0) return null
  const own = method === 'GET' ? {} : (sent ?? {})
  const known = new Map([...answer.rows, ...(whole ?? [])].map((row) => [row.id, row]))
  const isIn = (row: SeenRow) =>
    known.has(row.id) || replay.rowOf(rows.list, Number(row.id)) !== undefined
  const shown = observation.rows.filter((row) => Number(row.id) > 0)
  const changed = shown.filter(isIn).flatMap((row) => {
    const fields = changedFields(rows, row, known.get(row.id), own)
    return Object.keys(fields).length > 0 ? [{ id: Number(row.id), fields }] : []
  })
  const repair = { added: shown.filter((row) => !isIn(row)), changed, extra: [] }
  if (!whole || page?.count == null) return { ...repair, front: noSide, behind: noSide }
  const ids = new Set(shown.map((row) => row.id))
  const others = whole.filter((row) => !ids.has(row.id))
  const [first, last] = [observation.rows[0], observation.rows.at(-1)]
  if (!first || !last) {
    const more = page.count - others.length
    const side = {
      rows: others.toReversed(),
      more: page.offset >= page.count ? more : 0,
      next: others[0],
    }
    return { ...repair, front: side, behind: noSide }
  }
  const order = orders[rows.list]
  const before = others.filter((row) => order(row, first) < 0)
  const after = others.filter((row) => order(row, last) > 0)
  return {
    ...repair,
    extra: others.filter((row) => !before.includes(row) && !after.includes(row)),
    front: { rows: before.toReversed(), more: page.offset - before.length, next: first },
    behind: {
      rows: after,
      more: page.count - page.offset - observation.rows.length - after.length,
      next: after.at(-1) ?? last,
    },
  }
}

/**
 * Gives a row the values that the service gave it, if a simulator carried out the write otherwise.
 *
 * @param before the moment before the request
 * @returns the change that was made right after the request. Null for none
 */
export async function settleWrite(
  observation: Observation,
  answer: SimulatedAnswer,
  rows: RowsSeen,
  history: History,
  replay: TrafficReplay,
  before: Checkpoint,
): Promise<ChangeStep | null> {
  const { index, status, method } = observation
  const isOther = answer.differing > 0 && method !== 'GET' && method !== 'HEAD'
  const isUsualWrite = isOther && isUsual(observation)
  // What the service refused changes nothing.
  if (isUsualWrite && status >= 400 && isSuccess(answer.status)) replay.goBack(before)
  const isDone = (isUsualWrite && isSuccess(status)) || history.left.has(index)
  const change = isDone ? ownResultOf(observation, rows, replay, history) : null
  return change && (await replay.change(change)) ? change : null
}

/**
 * The change after which a row has the values that the response to its write shows. A create without a response is judged by
 * the first response that shows its row. A value is left out if the next response shows another one: the service had answered
 * before it stored the row.
 */
function ownResultOf(
  observation: Observation,
  rows: RowsSeen,
  replay: TrafficReplay,
  { left }: Pick<History, 'left'>,
): ChangeStep | null {
  const { index, verb, params } = observation
  const { list, entity } = rows
  const row = observation.rows[0] ?? left.get(index)?.fields
  const id = Number(row?.id ?? params.id)
  const now = replay.rowOf(list, id)
  if (verb === 'delete') return now ? removal(list, [id]) : null
  if (!row) return null
  const written = rows.asNewRow(row, parentOf(observation))
  if (!now) return { rows: { [list]: [written] } } as ChangeStep
  const again = rows.shownAfter.get(observation)
  const { sent } = observation
  const fields = entity.stored.flatMap(({ name, body }) => {
    const isSent = sent !== null && name in sent
    // What a request without a response says can have been changed before a response showed the row.
    const isOpen = observation.rows.length > 0 || !(isSent || name === 'deleted')
    const isStored = !again || isSameJson(again[name], row[name])
    if (!body || !(name in row) || !isOpen || !isStored) return []
    const isOther = !isSameJson(now[name], written[name])
    const isReplaced = isSent && !isSameJson(sent[name], row[name])
    return isOther || isReplaced ? [{ name, isOther }] : []
  })
  const changed = Object.fromEntries(fields.map(({ name }) => [name, written[name]]))
  return fields.some(({ isOther }) => isOther)
    ? ({ update: { [list]: [{ id, ...changed }] } } as ChangeStep)
    : null
}

type Order = (a: SeenRow, b: SeenRow) => number

/** As the API sorts lists. */
const orders: Readonly<Record<WrittenList, Order>> = {
  annotations: (a, b) =>
    timeOf(a) === timeOf(b) ? Number(b.id) - Number(a.id) : timeOf(b) > timeOf(a) ? 1 : -1,
  plugins: (a, b) => Number(a.id) - Number(b.id),
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
  const fields = changed.map((field) => [field.name, row[field.name]])
  const isHidden = simulated === undefined && list === 'annotations' && !('deleted' in row)
  return { ...Object.fromEntries(fields), ...(isHidden && { deleted: false }) }
}

/** The history with another start. */
export function atStart(history: History, repair: Repair, known: Known): History {
  const { rows, shownBefore } = known
  const start = new Map(history.start)
  const left = new Map(history.left)
  const at = (id: unknown) => `${rows.list}/${id}`
  const isMadeUp = ({ id }: SeenRow) => start.get(at(id))?.isMadeUp === true
  const isUnknown = (id: unknown, field: string) =>
    rows.shown.get(Number(id))?.unknown.has(field) === true && !shownBefore.has(Number(id))
  const set = (id: unknown, fields: object): void => {
    const before = start.get(at(id))
    if (before) start.set(at(id), { ...before, fields: { ...before.fields, ...fields } })
  }
  const highest = Math.max(0, ...shownBefore)
  const take = ({ id }: SeenRow): void => {
    const row = rows.shown.get(Number(id))
    // A newer row was there already, so that it was deleted rather than added later.
    const isOld = row !== undefined && (Number(id) < highest || isUnknown(id, 'deleted'))
    if (rows.list === 'annotations' && isOld) set(id, { deleted: true })
    else {
      start.delete(at(id))
      const creator = row && creatorOf(row, rows, left)
      if (creator) left.set(creator.index, row)
    }
  }
  for (const row of repair.added) {
    const first = rows.shown.get(Number(row.id))
    if (first && !history.late.has(nameOf(first))) start.set(nameOf(first), first)
  }
  for (const { id, fields } of repair.changed) set(id, fields)
  const more = { front: repair.front.more, behind: repair.behind.more }
  for (const row of repair.extra) {
    if (!isUnknown(row.id, 'date_marker')) take(row)
    else {
      const [place] = madeUpRows(repair.behind, 'behind', 1, new FreeIds(known, start), known)
      set(row.id, { date_marker: place?.date_marker ?? null })
      more.behind -= 1
    }
  }
  const sides = ['front', 'behind'] as const
  for (const [from, to] of [sides, sides.toReversed()] as [Place, Place][]) {
    // Nothing shows where these rows were.
    for (const { id } of repair[from].rows.filter((row) => isUnknown(row.id, 'date_marker'))) {
      if (more[from] >= 0 || more[to] <= 0) break
      const [place] = madeUpRows(repair[to], to, 1, new FreeIds(known, start), known)
      set(id, { date_marker: place?.date_marker ?? null })
      more[from] += 1
      more[to] -= 1
    }
  }
  for (const side of sides) {
    const mayGo = repair[side].rows.filter(({ id }) => start.has(at(id)))
    const unseen = mayGo
      .filter((row) => !isMadeUp(row) && !shownBefore.has(Number(row.id)))
      .sort((a, b) => Number(b.id) - Number(a.id))
    const going = [...mayGo.filter(isMadeUp), ...unseen].slice(0, Math.max(0, -more[side]))
    for (const row of going) take(row)
    const hidden = [...start.values()].filter(
      (row) =>
        row.list === rows.list && row.fields.deleted === true && isUnknown(row.id, 'deleted'),
    )
    for (const { id } of hidden.slice(0, Math.max(0, more[side]))) {
      set(id, { deleted: false })
      more[side] -= 1
    }
    addMadeUp(
      start,
      madeUpRows(repair[side], side, more[side], new FreeIds(known, start), known),
      known,
    )
  }
  return { ...history, start, left, tookEffect: new Set([...history.tookEffect, ...left.keys()]) }
}

/** A create without a response that may have left a row. */
function creatorOf(
  row: FirstShown,
  rows: RowsSeen,
  left: History['left'],
): Observation | undefined {
  const at = rows.observations.indexOf(row.observation)
  return rows.createsWithoutRow.find(
    (create) =>
      !left.has(create.index) &&
      rows.observations.indexOf(create) < at &&
      isLike(create.sent, row.fields),
  )
}

function addMadeUp(
  start: Map<string, StartRow>,
  made: readonly SeenRow[],
  { rows: { list }, observation }: Known,
): void {
  const parent = parentOf(observation)
  for (const fields of made) {
    start.set(`${list}/${fields.id}`, {
      list,
      id: Number(fields.id),
      fields,
      parent,
      isMadeUp: true,
    })
  }
}

/** The same start, but that a page had moved: rows were in front of it, of which as many went. */
export function asMoved(history: History, { front, behind }: Repair, known: Known): History | null {
  const { rows, observation } = known
  const count =
    front.more === 0 && behind.more < 0 && (observation.page?.offset ?? 0) > 0
      ? -behind.more
      : Math.max(0, -front.more)
  if (count === 0 || front.more > 0) return null
  const start = new Map(history.start)
  const movable = behind.rows.filter(({ id }) => start.get(`${rows.list}/${id}`)?.isMadeUp)
  for (const { id } of movable.slice(0, count)) start.delete(`${rows.list}/${id}`)
  addMadeUp(start, madeUpRows(front, 'front', count, new FreeIds(known, start), known), known)
  return { ...history, start }
}

/**
 * The same start, and what others did since. Null if there is nothing, and if no rows can go that have to.
 *
 * @param moves whether rows beside a page came or went
 */
export function asEdits(
  history: History,
  repair: Repair,
  known: Known,
  moves: boolean,
): History | null {
  const { rows, observation, shownBefore, shownLater } = known
  const { list } = rows
  const parent = parentOf(observation)
  const added = repair.added.map((row) => rows.asNewRow(row, parent))
  const updated = repair.changed.map(({ id, fields }) => {
    const field = (name: string) => rows.entity.stored.find((stored) => stored.name === name)
    const written = Object.entries(fields).map(([name, value]) => {
      const known = field(name)
      return [name, known ? writtenValue(known, value) : value]
    })
    return { id, ...Object.fromEntries(written) }
  })
  const gone = repair.extra.map(({ id }) => Number(id))
  const isWhole = observation.page?.count === observation.rows.length
  const ids = new FreeIds(known, null)
  for (const side of moves || isWhole ? (['front', 'behind'] as const) : []) {
    const { rows: others, more } = repair[side]
    // A row that nobody has seen was skipped rather than deleted.
    const mayGo = others.filter(({ id }) => !shownLater.has(Number(id)))
    const isSeen = ({ id }: SeenRow) => shownBefore.has(Number(id))
    const near = side === 'front' ? mayGo : mayGo.toReversed()
    const going = [...near.filter(isSeen), ...near.filter((row) => !isSeen(row))].slice(
      0,
      Math.max(0, -more),
    )
    if (going.length < -more) return null
    gone.push(...going.map(({ id }) => Number(id)))
    if (!moves) continue
    const top = {
      ...repair[side],
      next: side === 'front' ? (others.at(-1) ?? repair.front.next) : repair.behind.next,
    }
    added.push(...madeUpRows(top, side, more, ids, known).map((row) => rows.asNewRow(row, parent)))
  }
  const others: ChangeStep[] = [
    ...(updated.length > 0 ? [{ update: { [list]: updated } } as ChangeStep] : []),
    ...(gone.length > 0 ? [removal(list, gone)] : []),
  ]
  if (added.length + others.length === 0) return null
  const withRows = withNewRows(history, rows, observation, added)
  return others.length > 0 ? withEdits(withRows, observation, others) : withRows
}

function removal(list: WrittenList, ids: readonly number[]): ChangeStep {
  return list === 'plugins'
    ? { delete: { plugins: ids } }
    : { update: { annotations: ids.map((id) => ({ id, deleted: true })) } }
}
