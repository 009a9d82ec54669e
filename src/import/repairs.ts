import { isSuccess, parseInteger } from '../http/messages.ts'
import type { Fields, SeenRequest, SeenRow } from '../mistakes/seen-request.ts'
import type { ChangeStep } from '../scenarios/format/scenario.ts'
import { isSameJson } from '../utils/json.ts'
import { matchesTerms } from '../world/search.ts'
import { maxId } from '../world/world-format.ts'
import { isUnanswered } from './archived-request.ts'
import { writtenValue } from './draft-rows.ts'
import { createFateFinder, orders } from './later-responses.ts'
import { dateBeside, madeUpRows, notShown, type Place, type Side } from './made-up-rows.ts'
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
  const byId = new Map([...(simulated?.rows ?? []), ...(whole ?? [])].map((row) => [row.id, row]))
  const rowOf = ({ id }: SeenRow): Fields | undefined =>
    byId.get(id) ?? replay.rowOf(rows.list, Number(id))
  const shown = request.rows.filter((row) => Number(row.id) > 0)
  const changed = shown.filter(rowOf).flatMap((row) => {
    const fields = changedFields(rows, row, rowOf(row), own)
    const project = parseInteger(parent)
    // Others moved it to the project of this list.
    if (page && !byId.has(row.id) && rowOf(row)?.project !== project) fields.project = project
    return Object.keys(fields).length > 0 ? [{ id: Number(row.id), fields }] : []
  })
  // A deletion finds no deleted plugin, and a read no deleted annotation.
  const isFound = named && request.rows.length === 0 && (rows.list === 'plugins' || !isWrite)
  const found = isFound ? [{ id: named.id, content: notShown, name: notShown }] : []
  const repair = { added: [...shown, ...found].filter((row) => !rowOf(row)), changed, gone: [] }
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

interface Known {
  readonly request: SeenRequest
  readonly rows: RowsSeen
  readonly replay: TrafficReplay
  /** The ids of requests whose answers nothing explains */
  readonly unexplained: ReadonlySet<number>
}

/** More rows that nobody has seen do not come or go at once. */
const maxMoved = 100

/**
 * Makes a repair: what no earlier response could show was so from the start, and others did the rest right before the request.
 * Null if rows cannot go that have to
 */
export function explainRows(
  repair: Repair,
  { start: known, left }: Pick<History, 'start' | 'left'>,
  { request, rows, replay, unexplained }: Known,
) {
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
  const fateOf = createFateFinder(list, parent, later)
  const ahead = before.findLast((read) => read.page && read.listAddress === request.listAddress)
  const passed = idsOf(ahead && ahead.offset < request.offset ? [ahead] : [])
  const more = { front: repair.front.more, behind: repair.behind.more }
  const isShorter = more.front + more.behind < repair.gone.length
  /** Rows go first that later responses lack, then those of the page before, if the list is shorter, or else older ones. */
  const rankOf = (row: SeenRow) => {
    const isLikely = passed.has(Number(row.id)) === isShorter
    return { gone: 0, there: 3, unknown: isLikely ? 1 : 2 }[fateOf(row)]
  }
  const newest = [...shownBefore, ...idsOf([request])].reduce((a, b) => Math.max(a, b), 0)
  // A search shows nothing of the rows that it leaves out.
  const isPartOf = (read: SeenRequest) => read.terms.every((term) => terms.includes(term))
  const isUnread = !before.some(
    (read) =>
      read.count !== null &&
      !unexplained.has(read.record.id) &&
      read.parent === parent &&
      isPartOf(read),
  )
  const start = new Map(known)
  const [late, edits] = [new Changes(), new Changes()]
  const startRow = (id: number) => start.get(`${list}/${id}`)
  const set = (row: StartRow) => start.set(`${list}/${row.id}`, row)
  const isMadeUp = ({ id }: SeenRow) => startRow(Number(id))?.isMadeUp === true
  /** Whether nothing shows the place of a row: the first request that showed it set its date. */
  const isUndated = (id: number) =>
    rows.shown.get(id)?.unknown.has('date_marker') === true && !shownBefore.has(id)
  const isMovable = (row: SeenRow) =>
    isMadeUp(row) || (startRow(Number(row.id)) !== undefined && isUndated(Number(row.id)))
  /** Whether no earlier response depends on a row */
  const isOpen = (id: number) => {
    const row = startRow(id)
    if (!row || row.isHidden) return false
    return row.isMadeUp ? isUnread && !foundBefore.has(id) : !shownBefore.has(id)
  }
  const add = (fields: SeenRow, isUnseen: boolean) => {
    const id = Number(fields.id)
    const first = rows.shown.get(id)
    // A write shows what it made of the row.
    const row = rows.asNewRow(first?.request === request ? first.fields : fields, parent)
    if (!isUnread) return void edits.added.push(row)
    set({ list, id, fields, parent, isMadeUp: isUnseen })
    late.added.push(row)
  }
  const change = (id: number, fields: Record<string, unknown>) => {
    const row = isOpen(id) ? startRow(id) : undefined
    if (row) set({ ...row, fields: { ...row.fields, ...fields } })
    const written = Object.entries(fields).map(([name, value]) => {
      const field = entity.stored.find((stored) => stored.name === name)
      return [name, field ? writtenValue(field, value) : value]
    })
    const changes = row ? late : edits
    changes.updated.push({ id, ...Object.fromEntries(written) })
  }
  /** What others changed in a row that the next response shows in another project, at another date, or with other words. */
  const movedRow = (id: number): Record<string, unknown> | null => {
    const next = nextOf.get(id)
    const row = next?.rows.find((shown) => shown.id === id)
    if (!next || !row) return null
    const own = next.isWrite ? next.sent : {}
    const fields = changedFields(rows, row, replay.rowOf(list, id), own)
    if (next.parent !== parent && list === 'annotations')
      return { ...fields, project: parseInteger(next.parent) }
    const isOther = terms.length > 0 && Object.keys(fields).length > 0
    return isOther || 'date_marker' in fields ? fields : null
  }
  const remove = (id: number) => {
    const row = isOpen(id) ? startRow(id) : undefined
    const moved = row ? null : movedRow(id)
    if (moved) return void change(id, moved)
    if (!row) return void edits.gone.push(id)
    const [created, updated] = [row.fields.created_at, row.fields.updated_at].map(String)
    // So much time is not within a session.
    const isOld = Date.parse(updated ?? '') - Date.parse(created ?? '') >= 86_400_000
    // An older row was hidden rather than added later. A lost change may restore it.
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
  const started = [...known.values()].flatMap((row) => (row.list === list ? row.id : []))
  const ids = {
    shown: new Set([...shownBefore, ...nextOf.keys(), ...started]),
    taken: new Set<number>(),
  }
  const makeUp = (place: Place, side: Side, count: number, isNew = !isUnread) =>
    madeUpRows({ ...side, place, count, isNew }, { request, rows, replay, ids, newest })

  const created = new Set([...left.values()].map(({ id }) => id))
  const isOn = (side: Place, row: SeenRow) => {
    const [edge, sign] = side === 'front' ? [request.rows[0], -1] : [request.rows.at(-1), 1]
    return !edge || orders[list](row, edge) * sign > 0
  }
  /** Rows on a side of the page that a later response shows, and that are not there yet. */
  const comingRows = (side: Place) =>
    [...rows.shown.values()].flatMap((row) => {
      const { id, fields, parent: own } = row
      const isNew = nextOf.has(id) && !created.has(id) && !replay.rowOf(list, id)
      const isHere = own === parent || fields.scope === 'organization'
      const isFound = matchesTerms(String(fields.content ?? ''), terms)
      const isComing = isNew && isHere && isFound && isOn(side, { ...fields, id })
      return isComing && rows.sideOf(row, request) <= 0 ? [rows.asNewRow(fields, own)] : []
    })
  const coming = { front: comingRows('front'), behind: comingRows('behind') }
  /** Rows that are made up have the words of a search, if no earlier one shows that they lack them. @returns how many */
  const giveWords = (side: Place, count: number) => {
    const isSearched = before.some((read) => read.page && read.terms.length > 0 && isPartOf(read))
    if (isUnread || isSearched || list === 'plugins') return 0
    const ids = new Set(repair[side].rows.map(({ id }) => id))
    const spares = [...start.values()].filter((row) => {
      const { id, list: own, parent: place, isMadeUp: isUnseen } = row
      const now = replay.rowOf(own, id)
      const isThere = own === list && place === parent && isUnseen && now?.deleted === false
      return isThere && !ids.has(id) && isOn(side, { ...now, id })
    })
    for (const row of spares.slice(0, count)) {
      const content = terms.join(' ')
      set({ ...row, fields: { ...row.fields, content } })
      late.updated.push({ id: row.id, content })
    }
    return Math.min(spares.length, count)
  }

  /** Plugins with the highest ids that nothing has shown came now, and others are made up in their place. @returns how many */
  const takeNewest = (count: number) => {
    const { rows: others } = repair.behind
    const known = others.findLastIndex((row) => isMadeUp(row) || !isOpen(Number(row.id)))
    const newest = others.slice(Math.max(known + 1, others.length - count))
    const places = makeUp('behind', repair.behind, newest.length, false)
    for (const { id } of newest) start.delete(`${list}/${id}`)
    for (const row of places) set({ list, id: Number(row.id), fields: row, parent, isMadeUp: true })
    late.absent.push(...newest.map(({ id }) => Number(id)))
    late.added.push(...places.map((row) => rows.asNewRow(row, parent)))
    edits.added.push(...newest.map((row) => rows.asNewRow(row, parent)))
    return newest.length
  }

  for (const row of repair.added) add(row, false)
  for (const { id, fields } of repair.changed) change(id, fields)
  /** Lets a row be on a side of the page. Where one was that is made up, nothing has shown. @returns whether it can be */
  const shift = (id: number, to: Place) => {
    const { rows: others, next } = repair[to]
    const row = startRow(id)
    const date_marker = dateBeside(next, to, others)
    if (list === 'plugins') {
      // The place of a plugin is its id.
      const [fields] = makeUp(to, repair[to], 1, false)
      const shown = others.find((other) => !isMadeUp(other))
      const sign = to === 'front' ? 1 : -1
      if (!row || !fields || (shown && orders[list](fields, shown) * sign < 0)) return false
      start.delete(`${list}/${id}`)
      set({ ...row, id: Number(fields.id), fields })
      late.absent.push(id)
      late.added.push(rows.asNewRow(fields, parent))
    } else if (row && isMovable(row)) {
      set({ ...row, fields: { ...row.fields, date_marker } })
      late.updated.push({ id, date_marker })
    } else change(id, { date_marker })
    more[to] -= 1
    return true
  }
  /** Others rarely delete a row, and add one with an old date at once. */
  const isMoved = (id: number) =>
    list === 'annotations' &&
    !isUnread &&
    terms.length === 0 &&
    !missing.has(id) &&
    more.behind > coming.behind.length
  for (const id of repair.gone) {
    const moved = movedRow(id)
    if (moved && 'date_marker' in moved) {
      more[isOn('front', { id, ...moved }) ? 'front' : 'behind'] -= 1
      change(id, moved)
    } else if ((startRow(id) && isUndated(id)) || isMoved(id)) shift(id, 'behind')
    else {
      const to = more.front > 0 ? 'front' : more.behind > 0 ? 'behind' : null
      if (!isMadeUp({ id }) || !to || !shift(id, to)) remove(id)
    }
  }
  const sides = ['front', 'behind'] as const
  // Nothing has shown where rows are that were made up.
  for (const [from, to] of [sides, sides.toReversed()] as [Place, Place][]) {
    const movable = repair[from].rows.filter(isMovable)
    const most = Math.min(movable.length, -more[from], -more[from] - more[to])
    const isLacking = (row: SeenRow) => shownBefore.has(Number(row.id)) && fateOf(row) === 'gone'
    // They take the places of rows that later responses lack, if more of these are there than have to go.
    const few = Math.max(0, -more[to])
    const lacking = most > 0 ? repair[to].rows.filter(isLacking).slice(0, most + few) : []
    if (lacking.length > few) {
      for (const { id } of lacking) remove(Number(id))
      more[to] += lacking.length
    }
    const count = Math.min(-more[from], more[to])
    const { next } = repair[to]
    // Ids order rows of one date.
    const misfit = ({ id }: SeenRow) => (Number(id) > Number(next?.id ?? 0) ? Number(id) : maxId)
    movable.sort((a, b) => misfit(a) - misfit(b))
    for (const { id } of movable.slice(0, Math.max(0, count)))
      if (shift(Number(id), to)) more[from] += 1
  }
  if (!isUnread && Math.abs(more.front) + Math.abs(more.behind) > maxMoved) return null
  for (const side of sides) {
    const { rows: others, next } = repair[side]
    const near = side === 'front' ? others : others.toReversed()
    const isWhole = request.rows.length === request.count
    const count = Math.max(0, -more[side])
    const going = (count > 0 ? near : []).flatMap((row) => {
      const [id, rank] = [Number(row.id), rankOf(row)]
      if (isUnread && isMadeUp(row)) return { id, rank: -1 }
      // Newer ones first.
      if (isUnread && isOpen(id)) return { id, rank: 1 - id / maxId }
      // A write finds a deleted row, too. What a whole list lacks was deleted, even if it is there again later.
      const mayGo = isWhole || rank < 3 || movedRow(id)
      if (shownBefore.has(id)) return mayGo ? { id, rank } : []
      return mayGo && !isUnread ? { id, rank: rank + 4 } : []
    })
    going.sort((a, b) => a.rank - b.rank)
    if (going.length < count) return null
    for (const { id } of going.slice(0, count)) {
      if (side === 'front' && isMoved(id)) shift(id, 'behind')
      else remove(id)
    }
    const top = !isUnread && side === 'front' ? (others.at(-1) ?? next) : next
    const added = coming[side].slice(0, Math.max(0, more[side]))
    for (const row of added) edits.added.push(row)
    const rest = Math.max(0, more[side]) - added.length
    const unseen = rest - giveWords(side, rest)
    const came = side === 'behind' && list === 'plugins' && !isUnread ? takeNewest(unseen) : 0
    for (const row of makeUp(side, { ...repair[side], next: top }, unseen - came)) add(row, true)
  }
  return { start, late: late.toSteps(list), edits: edits.toSteps(list) }
}

/** The step after which rows are gone. */
export function removalOf(list: WrittenList, ids: readonly number[]): ChangeStep {
  return list === 'plugins'
    ? { delete: { plugins: ids } }
    : { update: { annotations: ids.map((id) => ({ id, deleted: true })) } }
}
