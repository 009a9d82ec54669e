import { isSuccess, parseInteger } from '../http/messages.ts'
import type { Fields, SeenRequest, SeenRow } from '../mistakes/seen-request.ts'
import type { ChangeStep } from '../scenarios/format/scenario.ts'
import { isSameJson } from '../utils/json.ts'
import { parseUuid } from '../utils/python.ts'
import { isUnanswered } from './archived-request.ts'
import { writtenValue } from './draft-rows.ts'
import { dateBeside, madeUpRows, notShown, type Place, type Side, timeOf } from './made-up-rows.ts'
import type { History, RowsSeen, StartRow, WrittenList } from './rows-seen.ts'
import type { TrafficReplay } from './traffic-replay.ts'

/** What must be otherwise right before a request, so that a simulator answers as recorded. */
interface Repair {
  readonly added: readonly SeenRow[]
  readonly changed: readonly { readonly id: number; readonly fields: Record<string, unknown> }[]
  /** The ids of rows that are in the way */
  readonly gone: readonly number[]
  /** Rows before and behind a page, and how many more there must be. Less than 0 for fewer */
  readonly front: Side
  readonly behind: Side
}

const noSide: Side = { rows: [], more: 0, next: undefined }

/** @param whole the list of which a page was read, as the simulator has it. Null for another request */
export function repairOf(
  request: SeenRequest,
  simulated: SeenRequest | null,
  rows: RowsSeen,
  whole: readonly SeenRow[] | null,
  replay: TrafficReplay,
): Repair | null {
  const { status, isWrite, sent, row: named, page, count, offset, parent } = request
  if (status === 404) {
    const gone = named && Number(simulated?.status) < 300 ? [named.id] : []
    return { added: [], changed: [], gone, front: noSide, behind: noSide }
  }
  if (status >= 300 || status === 0) return null
  const own = isWrite ? sent : {}
  const known = new Map([...(simulated?.rows ?? []), ...(whole ?? [])].map((row) => [row.id, row]))
  const rowOf = ({ id }: SeenRow): Fields | undefined =>
    known.get(id) ?? replay.rowOf(rows.list, Number(id))
  const shown = request.rows.filter((row) => Number(row.id) > 0)
  const changed = shown.filter(rowOf).flatMap((row) => {
    const fields = changedFields(rows, row, rowOf(row), own)
    const project = parseInteger(parent)
    // Others moved it to the project of this list.
    if (page && !known.has(row.id) && rowOf(row)?.project !== project) fields.project = project
    return Object.keys(fields).length > 0 ? [{ id: Number(row.id), fields }] : []
  })
  const repair = { added: shown.filter((row) => !rowOf(row)), changed, gone: [] }
  if (!whole || count === null) return { ...repair, front: noSide, behind: noSide }
  const ids = new Set(shown.map((row) => row.id))
  const others = whole.filter((row) => !ids.has(row.id))
  const [first, last] = [request.rows[0], request.rows.at(-1)]
  if (!first || !last) {
    const more = offset >= count ? count - others.length : 0
    const front = { rows: others.toReversed(), more, next: others[0] }
    return { ...repair, front, behind: noSide }
  }
  const order = orders[rows.list]
  // The order of rows with an equal time is not documented. A sanitizer hides it with the times.
  const isInOrder = request.rows.every(
    (row, at) =>
      (rows.list === 'plugins' || 'date_marker' in row) &&
      (at === 0 || order(request.rows[at - 1] as SeenRow, row) <= 0),
  )
  if (!isInOrder) return { ...repair, front: noSide, behind: noSide }
  const before = others.filter((row) => order(row, first) < 0)
  const after = others.filter((row) => order(row, last) > 0)
  const between = others.filter((row) => !before.includes(row) && !after.includes(row))
  const moreBehind = count - offset - request.rows.length - after.length
  return {
    ...repair,
    gone: between.map((row) => Number(row.id)),
    front: { rows: before.toReversed(), more: offset - before.length, next: first },
    behind: { rows: after, more: moreBehind, next: after.at(-1) ?? last },
  }
}

type Order = (a: SeenRow, b: SeenRow) => number

/** As the API sorts lists. */
const orders: Readonly<Record<WrittenList, Order>> = {
  annotations: (a, b) =>
    timeOf(a) === timeOf(b) ? Number(b.id) - Number(a.id) : timeOf(b) > timeOf(a) ? 1 : -1,
  plugins: (a, b) => Number(a.id) - Number(b.id),
}

/** The writable fields of a row that a simulator has otherwise, but for those of the request. */
function changedFields(
  { entity }: RowsSeen,
  row: SeenRow,
  simulated: Fields | undefined,
  own: Fields,
): Record<string, unknown> {
  const changed = entity.stored.filter(
    ({ name, body }) =>
      body && name in row && !(name in own) && !isSameJson(simulated?.[name], row[name]),
  )
  return Object.fromEntries(changed.map(({ name }) => [name, row[name]]))
}

/** Changes of rows, which become one step of each kind. */
class Changes {
  readonly added: Record<string, unknown>[] = []
  readonly updated: Record<string, unknown>[] = []
  readonly gone: number[] = []
  readonly absent: number[] = []

  toSteps(list: WrittenList): ChangeStep[] {
    return [
      ...(this.added.length > 0 ? [{ rows: { [list]: this.added } } as ChangeStep] : []),
      ...(this.updated.length > 0 ? [{ update: { [list]: this.updated } } as ChangeStep] : []),
      ...(this.gone.length > 0 ? [removalOf(list, this.gone)] : []),
      ...(this.absent.length > 0 ? [{ delete: { [list]: this.absent } } as ChangeStep] : []),
    ]
  }
}

/** What is known when a response differs. */
interface Known {
  readonly request: SeenRequest
  readonly rows: RowsSeen
  readonly replay: TrafficReplay
  /** The ids of requests whose answers nothing explains */
  readonly unexplained: ReadonlySet<number>
}

/** What explains an answer: the rows at the start, the changes that they need now, and those of others. */
interface Explained {
  readonly start: History['start']
  readonly late: readonly ChangeStep[]
  readonly edits: readonly ChangeStep[]
}

/** More rows that nobody has seen do not come or go at once. */
const maxMoved = 100

/**
 * Makes a repair: what no earlier response could show was so from the start, and others did the rest right before the
 * request.
 *
 * @returns the rows at the start, the changes that they need now, and those of others. Null if rows cannot go that have to
 */
export function explainRows(
  repair: Repair,
  { start: known, left }: Pick<History, 'start' | 'left'>,
  { request, rows, replay, unexplained }: Known,
): Explained | null {
  const { list, entity } = rows
  const { parent, terms } = request
  const at = rows.requests.indexOf(request)
  const [before, later] = [rows.requests.slice(0, at), rows.requests.slice(at + 1)]
  const idsOf = (some: readonly SeenRequest[]) =>
    new Set(some.flatMap((read) => read.rows.map(({ id }) => Number(id))))
  const shownBefore = idsOf(before)
  const foundBefore = new Set(
    before.flatMap(({ status, row }) => (isSuccess(status) && row ? row.id : [])),
  )
  /** The next responses that show rows, by their ids */
  const nextOf = new Map(
    later.toReversed().flatMap((next) => next.rows.map(({ id }) => [Number(id), next] as const)),
  )
  const missing = new Set(later.map(({ status, row }) => (status === 404 ? row?.id : undefined)))
  /** Rows that a later response does not find go first, those that one shows last. */
  const rankOf = ({ id }: SeenRow): number =>
    missing.has(Number(id)) ? 0 : nextOf.has(Number(id)) ? 2 : 1
  const newest = Math.max(0, ...shownBefore, ...idsOf([request]))
  // A search shows nothing of the rows that it leaves out.
  const isUnread = !before.some(
    (read) =>
      read.count !== null &&
      !unexplained.has(read.record.id) &&
      read.parent === parent &&
      read.terms.every((term) => terms.includes(term)),
  )
  const start = new Map(known)
  const [late, edits] = [new Changes(), new Changes()]
  const startRow = (id: number) => start.get(`${list}/${id}`)
  const set = (row: StartRow): void => void start.set(`${list}/${row.id}`, row)
  const isMadeUp = ({ id }: SeenRow): boolean => startRow(Number(id))?.isMadeUp === true
  /** Whether nothing shows the place of a row: the first request that showed it set its date. */
  const isUndated = (id: number): boolean =>
    rows.shown.get(id)?.unknown.has('date_marker') === true && !shownBefore.has(id)
  const isMovable = (row: SeenRow): boolean =>
    isMadeUp(row) || (startRow(Number(row.id)) !== undefined && isUndated(Number(row.id)))
  /** Whether no earlier response depends on a row */
  const isOpen = (id: number): boolean => {
    const row = startRow(id)
    if (!row || row.isHidden) return false
    return row.isMadeUp ? isUnread && !foundBefore.has(id) : !shownBefore.has(id)
  }
  const add = (fields: SeenRow, isUnseen: boolean): void => {
    const id = Number(fields.id)
    const first = rows.shown.get(id)
    // A write shows what it made of the row.
    const row = rows.asNewRow(first?.request === request ? first.fields : fields, parent)
    if (!isUnread) return void edits.added.push(row)
    set({ list, id, fields, parent, isMadeUp: isUnseen })
    const organization = list === 'plugins' ? parseUuid(parent) : undefined
    late.added.push({ ...row, ...(organization && { organization }) })
  }
  const change = (id: number, fields: Record<string, unknown>): void => {
    const row = isOpen(id) ? startRow(id) : undefined
    if (row) set({ ...row, fields: { ...row.fields, ...fields } })
    const written = Object.entries(fields).map(([name, value]) => {
      const field = entity.stored.find((stored) => stored.name === name)
      return [name, field ? writtenValue(field, value) : value]
    })
    const changes = row ? late : edits
    changes.updated.push({ id, ...Object.fromEntries(written) })
  }
  /** What others changed in a row that the next response shows in another project, or with other words than a search. */
  const movedRow = (id: number): Record<string, unknown> | null => {
    const next = nextOf.get(id)
    const row = next?.rows.find((shown) => shown.id === id)
    if (!next || !row) return null
    const own = next.isWrite ? next.sent : {}
    const fields = changedFields(rows, row, replay.rowOf(list, id), own)
    if (next.parent !== parent && list === 'annotations')
      return { ...fields, project: parseInteger(next.parent) }
    return terms.length > 0 && Object.keys(fields).length > 0 ? fields : null
  }
  const remove = (id: number): void => {
    const row = isOpen(id) ? startRow(id) : undefined
    const moved = row ? null : movedRow(id)
    if (moved) return void change(id, moved)
    if (!row) return void edits.gone.push(id)
    const [created, updated] = [row.fields.created_at, row.fields.updated_at].map(String)
    // So much time is not within a session.
    const isOld = Date.parse(updated ?? '') - Date.parse(created ?? '') >= 86_400_000
    // A newer row was there already, so that it was hidden rather than added later. A lost change may restore it.
    const isThere = row.isMadeUp
      ? later.some((lost) => lost.isUpdate && lost.row?.id === id && isUnanswered(lost))
      : id < newest || isOld
    const isSearch = terms.length > 0
    const isSet = isSearch && rows.shown.get(id)?.unknown.has('content')
    if (list === 'plugins' || !(isThere || isSet)) {
      start.delete(`${list}/${id}`)
      return void late.absent.push(id)
    }
    // A search lacks a row that has other words.
    const hidden = isSearch ? { content: notShown } : { deleted: true }
    set({ ...row, isHidden: isThere, fields: { ...row.fields, ...hidden } })
    late.updated.push({ id, ...hidden })
  }
  const ids = { shown: new Set([...shownBefore, ...nextOf.keys()]), taken: new Set<number>() }
  const makeUp = (place: Place, side: Side, count: number) =>
    madeUpRows({ ...side, place, count, isNew: !isUnread }, { request, rows, replay, ids, newest })

  const created = new Set([...left.values()].map(({ id }) => id))
  /** Rows on a side of the page that a later response shows, and that are not there yet. */
  const comingRows = (side: Place): SeenRow[] => {
    const [edge, sign] = side === 'front' ? [request.rows[0], -1] : [request.rows.at(-1), 1]
    return [...rows.shown.values()].flatMap(({ id, fields, parent: own }) => {
      const row = { ...fields, id }
      const isNew = nextOf.has(id) && !created.has(id) && !replay.rowOf(list, id)
      const isOn = own === parent && (!edge || orders[list](row, edge) * sign > 0)
      return isNew && isOn && terms.length === 0 ? [row] : []
    })
  }

  for (const row of repair.added) add(row, false)
  for (const { id, fields } of repair.changed) change(id, fields)
  const more = { front: repair.front.more, behind: repair.behind.more }
  for (const id of repair.gone) {
    if (!startRow(id) || !isUndated(id)) {
      remove(id)
      continue
    }
    change(id, { date_marker: dateBeside(repair.behind.next, 'behind', repair.behind.rows) })
    more.behind -= 1
  }
  const sides = ['front', 'behind'] as const
  // Nothing has shown where rows are that were made up.
  for (const [from, to] of [sides, sides.toReversed()] as [Place, Place][]) {
    const count = Math.min(-more[from], more[to])
    const moving = list === 'annotations' && count > 0 ? repair[from].rows.filter(isMovable) : []
    const { rows: beside, next } = repair[to]
    const date_marker = moving.length > 0 ? dateBeside(next, to, beside) : null
    for (const { id } of moving.slice(0, count)) {
      const row = startRow(Number(id)) as StartRow
      set({ ...row, fields: { ...row.fields, date_marker } })
      late.updated.push({ id, date_marker })
      more[from] += 1
      more[to] -= 1
    }
  }
  if (!isUnread && Math.abs(more.front) + Math.abs(more.behind) > maxMoved) return null
  for (const side of sides) {
    const { rows: others, next } = repair[side]
    const near = side === 'front' ? others : others.toReversed()
    const isSeen = ({ id }: SeenRow): boolean => shownBefore.has(Number(id))
    const isWhole = request.rows.length === request.count
    // A write finds a deleted row, too. What a whole list lacks was deleted, even if it is there again later.
    const mayGo = near
      .filter(
        ({ id }) => isWhole || nextOf.get(Number(id))?.isWrite !== false || movedRow(Number(id)),
      )
      .sort((a, b) => rankOf(a) - rankOf(b))
    const open = others.filter((row) => !isMadeUp(row) && isOpen(Number(row.id)))
    const going = isUnread
      ? [
          ...others.filter(isMadeUp),
          ...open.sort(orders.plugins).reverse(),
          ...mayGo.filter(isSeen),
        ]
      : [...mayGo.filter(isSeen), ...mayGo.filter((row) => !isSeen(row))]
    const count = Math.max(0, -more[side])
    if (going.length < count) return null
    for (const { id } of going.slice(0, count)) remove(Number(id))
    const top = !isUnread && side === 'front' ? (others.at(-1) ?? next) : next
    const coming = comingRows(side).slice(0, Math.max(0, more[side]))
    edits.added.push(...coming.map((row) => rows.asNewRow(row, parent)))
    const unseen = Math.max(0, more[side]) - coming.length
    for (const row of makeUp(side, { ...repair[side], next: top }, unseen)) add(row, true)
  }
  return { start, late: late.toSteps(list), edits: edits.toSteps(list) }
}

/** The step after which rows are gone. */
export function removalOf(list: WrittenList, ids: readonly number[]): ChangeStep {
  return list === 'plugins'
    ? { delete: { plugins: ids } }
    : { update: { annotations: ids.map((id) => ({ id, deleted: true })) } }
}
