import type { ChangeStep } from '../../scenarios/format/scenario.ts'
import { isObject } from '../../utils/json.ts'
import { parseInteger } from '../../utils/python/text.ts'
import { isSameJson } from '../../world/edit/row-json.ts'
import { annotation } from '../../world/entities/annotation.ts'
import type { Entity } from '../../world/entities/field.ts'
import { plugin } from '../../world/entities/plugin.ts'
import { type Skew, startOf } from './order.ts'
import { compareAnnotations, compareIds, isCounted, isWholeList } from './seen-lists.ts'
import { isUnanswered, type SeenRow, type Sighting } from './sighting.ts'
import { isStoredAs, isTrue } from './stored-value.ts'

/** The lists whose rows clients create and change. */
type WrittenList = 'annotations' | 'plugins'

const entityOf: { readonly [List in WrittenList]: Entity } = {
  annotations: annotation,
  plugins: plugin,
}

/** A row before the first request, as far as it was seen. */
export interface InitialRow {
  readonly list: WrittenList
  readonly id: number
  /** The fields as responses show them */
  readonly fields: Record<string, unknown>
  /** The project or the organization of the path at which it was first seen */
  readonly parent: string
  /** The fields that a change hid before they were seen */
  readonly unknown: string[]
}

/** What became of a write without a usable response. */
export interface UnansweredWrite {
  readonly sighting: Sighting
  /** Null if nothing proves whether it was carried out */
  readonly wasCarriedOut: boolean | null
}

/** The state of a row while the requests are followed. */
interface FollowedRow {
  readonly id: number
  /** Null for a row that a request created */
  readonly initial: InitialRow | null
  /** The latest state that a response showed. Null if it was removed */
  current: SeenRow | null
  /** Whether a write without a response could have changed it since */
  isUncertain: boolean
}

/**
 * Follows the rows of a list through the requests: which existed before the first one, and which were created since.
 * A write without a response is compared with what later responses show.
 */
export class RowHistory {
  readonly list: WrittenList
  readonly initial: InitialRow[] = []
  readonly unanswered: UnansweredWrite[] = []
  /** What others did between the requests, by the index of the exchange that showed it */
  readonly edits = new Map<number, ChangeStep[]>()
  /** The ids of rows that requests created */
  readonly created: Set<number>
  readonly #entity: Entity
  /** The word for a row in the ids of operations */
  readonly name: 'Annotation' | 'Plugin'
  readonly #rows = new Map<number, FollowedRow>()
  /** The ids that a request did not find */
  readonly missing = new Set<number>()
  /** The projects of annotations that a request could not delete, by their ids. The 405 does not say that they exist */
  readonly undeleted = new Map<number, string>()
  /** The projects of annotations whose responses were not recorded, by their ids */
  readonly unread = new Map<number, string>()
  readonly #sightings: readonly Sighting[]
  /** The pages up to now, each once */
  readonly #pages: Sighting[] = []
  /** When the service processed the first request, by its own clock and with some tolerance: milliseconds since 1970 */
  readonly #start: number

  /**
   * @param sightings in the order in which the service processed the requests
   * @param skew null if no response has a time
   */
  constructor(list: WrittenList, sightings: readonly Sighting[], skew: Skew | null) {
    this.list = list
    this.#start = skew
      ? startOf(sightings[0], skew.most + clockTolerance)
      : Number.POSITIVE_INFINITY
    this.#entity = entityOf[list]
    this.name = list === 'annotations' ? 'Annotation' : 'Plugin'
    this.#sightings = sightings.filter(({ operation }) => operation?.includes(this.name))
    this.created = new Set(
      this.#of('create').flatMap(({ rows }) => rows.map(({ id }) => Number(id))),
    )
    this.#explainCreates(skew)
    for (const [position, sighting] of this.#sightings.entries()) this.#follow(sighting, position)
  }

  #of(verb: string): Sighting[] {
    return this.#sightings.filter(({ operation }) => operation === `${verb}${this.name}`)
  }

  /** Finds the rows that creates without a response left. */
  #explainCreates(skew: Skew | null): void {
    const lost = this.#of('create').filter(isUnanswered)
    if (lost.length === 0) return
    const firstSeen = new Map<number, { readonly row: SeenRow; readonly at: number }>()
    for (const [at, { rows, operation }] of this.#sightings.entries()) {
      if (operation === `create${this.name}`) continue
      for (const row of rows)
        if (!firstSeen.has(Number(row.id))) firstSeen.set(Number(row.id), { row, at })
    }
    for (const sighting of lost) {
      const position = this.#sightings.indexOf(sighting)
      const since = skew && sighting.from + skew.least - clockTolerance
      const found = [...firstSeen].find(([id, { row, at }]) => {
        if (at < position || this.created.has(id) || !this.#isStored(sighting.sent, row))
          return false
        const createdAt = Date.parse(String(row.created_at))
        return Number.isNaN(createdAt) || since === null
          ? this.#isNewestId(id, position)
          : createdAt >= since
      })
      if (found) this.created.add(found[0])
      const isShown = found !== undefined
      const isRefuted =
        !isShown && this.#sightings.slice(position).some((later) => isWholeList(later, sighting))
      this.unanswered.push({ sighting, wasCarriedOut: isShown ? true : isRefuted ? false : null })
    }
  }

  /** Whether no row with a higher id was seen before. Not all rows have a time of creation. */
  #isNewestId(id: number, position: number): boolean {
    return this.#sightings
      .slice(0, position)
      .every(({ rows }) => rows.every((row) => Number(row.id) < id))
  }

  #follow(sighting: Sighting, position: number): void {
    const { method, operation, rows, params, status } = sighting
    const id = Number(params.id)
    if (isUnanswered(sighting) && operation !== `create${this.name}`) {
      if (operation !== 'deleteAnnotation') this.#followUnanswered(sighting, position)
      return
    }
    if (operation === 'deletePlugin' && status === 204) {
      this.#rows.get(id) ?? this.#add(id, this.#unknownPlugin(id), sighting, ['name'])
      this.#set(id, null)
      return
    }
    if (/PluginSource$/.test(operation ?? '') && status === 200) this.#followSource(id, sighting)
    if (status === 404 && Number.isInteger(id)) this.#followMissing(id, sighting)
    if (operation === 'deleteAnnotation' && status === 405 && Number.isInteger(id))
      this.undeleted.set(id, params.project_id ?? '')
    const isRead = /^(?:retrieve|update|replace)Annotation$/.test(operation ?? '')
    if (isRead && status === 200 && rows.length === 0) this.unread.set(id, params.project_id ?? '')
    const isChange = method === 'PATCH' || method === 'PUT'
    for (const row of rows) {
      const rowId = Number(row.id)
      const followed = this.#rows.get(rowId)
      if (followed) {
        this.#followRead(followed, row, sighting, isChange)
      } else if (this.created.has(rowId)) this.#rows.set(rowId, newRow(rowId, null, row))
      else if (isChange) this.#addChanged(row, sighting)
      else if (this.#isNewFromOthers(row, sighting)) this.#addFromOthers(row, sighting)
      else this.#add(rowId, row, sighting, this.#namesWithoutResponse(row))
      this.#set(rowId, row)
    }
    this.#followRemoved(sighting, position)
    const isKnown = this.#pages.some((page) => page.rows === rows)
    if (isCounted(sighting.list) && !isKnown) this.#pages.push(sighting)
  }

  /** The source of a plugin is not among its fields. */
  #followSource(id: number, sighting: Sighting): void {
    const { other } = sighting
    if (!isObject(other)) return
    if (!this.#rows.has(id)) this.#add(id, this.#unknownPlugin(id), sighting, ['name'])
    const { initial } = this.#rows.get(id) as FollowedRow
    if (initial) initial.fields.source ??= other
  }

  #followMissing(id: number, { index, method }: Sighting): void {
    const followed = this.#rows.get(id)
    if (!followed) this.missing.add(id)
    const { current, isUncertain } = followed ?? {}
    if (method !== 'GET' || !current || isUncertain || current.deleted === true) return
    this.#removeByOthers(id, current, index)
  }

  /** A row that an earlier page had, and that no request removed, is missing in a whole list: another client removed it. */
  #followRemoved({ index, list, rows, params }: Sighting, position: number): void {
    if (!list || list.count !== rows.length || list.offset > 0 || list.search.length > 0) return
    const shown = new Set(rows.map((row) => Number(row.id)))
    const pages = this.#pages.filter(
      (page) =>
        page.params.project_id === params.project_id &&
        page.params.organization_id === params.organization_id,
    )
    for (const id of new Set(pages.flatMap((page) => page.rows.map((row) => Number(row.id))))) {
      const { current, isUncertain } = this.#rows.get(id) ?? {}
      if (shown.has(id) || !current || isUncertain || current.deleted === true) continue
      const hasOwnWrite = this.#sightings
        .slice(0, position)
        .some((each) => each.method !== 'GET' && Number(each.params.id) === id)
      if (!hasOwnWrite) this.#removeByOthers(id, current, index)
    }
  }

  #removeByOthers(id: number, current: SeenRow, index: number): void {
    const isKept = this.list === 'annotations'
    this.#edit(
      index,
      isKept ? { update: { annotations: [{ id, deleted: true }] } } : { delete: { plugins: [id] } },
    )
    this.#set(id, isKept ? { ...current, deleted: true } : null)
  }

  /** Compares a row with its last known state. A change that no request made is a change by another client. */
  #followRead(
    followed: FollowedRow,
    row: SeenRow,
    { index, sent }: Sighting,
    isChange: boolean,
  ): void {
    const { current, isUncertain } = followed
    if (isUncertain || current === null || current === row) return
    const changed = this.#entity.stored.filter(
      ({ name, writable }) =>
        writable &&
        name in current &&
        !(isChange && sent && name in sent) &&
        !isSameJson(current[name], row[name]),
    )
    // A plugin is also changed by an upgrade and by its source.
    const isOwn = isChange && this.list === 'plugins'
    if (changed.length === 0 || isOwn) return
    const changes = Object.fromEntries(changed.map(({ name }) => [name, row[name]]))
    this.#edit(index, { update: { [this.list]: [{ id: followed.id, ...changes }] } })
  }

  /** Whether another client created a row after the first request: it is younger, or an earlier page did not have it. */
  #isNewFromOthers(row: SeenRow, { params }: Sighting): boolean {
    if (this.#pages.length === 0) return false
    if (Date.parse(String(row.created_at)) > this.#start) return true
    const compare = this.list === 'annotations' ? compareAnnotations : compareIds
    return this.#pages.some(({ rows, list, params: { project_id, organization_id } }) => {
      if (project_id !== params.project_id || organization_id !== params.organization_id)
        return false
      // What a search finds depends on the service.
      if (!list || list.search.length > 0 || row.deleted === true) return false
      if (list.count === rows.length) return true
      const [first, last] = [rows[0], rows.at(-1)]
      if (!first || !last || compare(row, last) > 0) return false
      return list.offset === 0 || compare(first, row) < 0
    })
  }

  #addFromOthers(row: SeenRow, { index, params }: Sighting): void {
    const id = Number(row.id)
    const project = parseInteger(params.project_id ?? '')
    const fields = this.#entity.stored
      .filter(({ name, hidden }) => !hidden && name in row)
      .map(({ name, kind }) => {
        const value = row[name]
        return [name, kind === 'reference' && isObject(value) ? value.id : value]
      })
    this.created.add(id)
    this.#rows.set(id, newRow(id, null, row))
    const added = { ...Object.fromEntries(fields), ...(project !== undefined && { project }) }
    this.#edit(index, { rows: { [this.list]: [added] } })
  }

  #edit(index: number, step: ChangeStep): void {
    this.edits.set(index, [...(this.edits.get(index) ?? []), step])
  }

  /** Adds a row that was first seen after a change. The fields of the request were different, or the same. */
  #addChanged(row: SeenRow, sighting: Sighting): void {
    const id = Number(row.id)
    const { sent = {} } = sighting
    const changed = this.#entity.stored.filter(
      ({ name, writable }) => writable && name in (sent ?? {}) && name !== 'deleted',
    )
    const before: Record<string, unknown> = { ...row }
    if ('deleted' in row && sent && 'deleted' in sent) before.deleted = !row.deleted
    if (this.missing.has(id) && 'deleted' in row) before.deleted = true
    if ('updated_at' in row && row.created_at) before.updated_at = row.created_at
    this.missing.delete(id)
    this.#add(id, before as SeenRow, sighting, [
      ...new Set([...changed.map(({ name }) => name), ...this.#namesWithoutResponse(row)]),
    ])
  }

  /** The fields that earlier requests without a response may have set, before any response showed the row. */
  #namesWithoutResponse(row: SeenRow): string[] {
    const writes = this.unanswered.filter(
      ({ sighting, wasCarriedOut }) =>
        wasCarriedOut !== false && Number(sighting.params.id) === Number(row.id),
    )
    return this.#entity.stored
      .filter((field) => field.writable)
      .filter((field) =>
        writes.some(
          ({ sighting: { sent } }) =>
            sent && field.name in sent && isStoredAs(field, sent[field.name], row[field.name]),
        ),
      )
      .map(({ name }) => name)
  }

  #add(id: number, fields: SeenRow, { params }: Sighting, unknown: string[]): void {
    const initial: InitialRow = {
      list: this.list,
      id,
      fields: { ...fields },
      parent: params.project_id ?? params.organization_id ?? '',
      unknown,
    }
    this.initial.push(initial)
    this.#rows.set(id, newRow(id, initial, fields))
  }

  #unknownPlugin(id: number): SeenRow {
    return { id, name: `Plugin ${id}` }
  }

  #set(id: number, row: SeenRow | null): void {
    const followed = this.#rows.get(id)
    if (followed) Object.assign(followed, { current: row, isUncertain: false })
  }

  /** Compares a change or a removal without a response with the next response that shows the row. */
  #followUnanswered(sighting: Sighting, position: number): void {
    const { params, sent, operation } = sighting
    const id = Number(params.id)
    if (sighting.method === 'GET' || sighting.method === 'HEAD') return
    const followed = this.#rows.get(id)
    const before = followed?.current ?? null
    if (followed) followed.isUncertain = true
    const wasCarriedOut =
      operation === 'deletePlugin'
        ? this.#isRemovedAfter(id, position)
        : this.#isChangedAfter(id, position, sent, before)
    this.unanswered.push({ sighting, wasCarriedOut })
  }

  #isRemovedAfter(id: number, position: number): boolean | null {
    for (const { rows, status, params, operation } of this.#sightings.slice(position + 1)) {
      if (rows.some((row) => Number(row.id) === id)) return false
      if (Number(params.id) !== id) continue
      if (status === 404) return true
      if (operation === 'deletePlugin' && status === 204) return false
    }
    return null
  }

  #isChangedAfter(
    id: number,
    position: number,
    sent: Sighting['sent'],
    before: SeenRow | null,
  ): boolean | null {
    if (sent === null) return null
    for (const later of this.#sightings.slice(position + 1)) {
      const isOfRow = Number(later.params.id) === id
      const isRead = later.method === 'GET'
      // A soft-deleted row is not found any more.
      if (isOfRow && isRead && later.status === 404 && isTrue(sent.deleted)) return true
      if (isOfRow && !isRead && !isUnanswered(later)) return null
      const row = later.rows.find((each) => Number(each.id) === id)
      if (!row || !isRead) continue
      const isShown = this.#isStored(sent, row)
      const wasSame = before !== null && this.#isStored(sent, before)
      return isShown && wasSame ? null : isShown
    }
    return null
  }

  /** Whether a row has the fields that a request sent. */
  #isStored(sent: Sighting['sent'], row: SeenRow): boolean {
    const fields = this.#entity.stored.filter(
      ({ name, writable }) => writable && sent && name in sent,
    )
    return fields.every((field) => isStoredAs(field, sent?.[field.name], row[field.name]))
  }
}

function newRow(id: number, initial: InitialRow | null, current: SeenRow): FollowedRow {
  return { id, initial, current, isUncertain: false }
}

/** In milliseconds: how far the clocks of client and service can differ from the measured skew. */
const clockTolerance = 5_000
