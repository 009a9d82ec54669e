import { isSuccess, parseInteger } from '../http/messages.ts'
import type { Fields, SeenRequest, SeenRow } from '../mistakes/seen-request.ts'
import type { ChangeStep } from '../scenarios/format/scenario.ts'
import { isObject } from '../utils/json.ts'
import { parseUuid } from '../utils/python.ts'
import { entities } from '../world/entities/entities.ts'
import type { Entity } from '../world/entities/field.ts'
import { isUnanswered } from './archived-request.ts'
import { writtenValue } from './draft-rows.ts'
import type { Skew } from './timing.ts'

export type WrittenList = 'annotations' | 'plugins'

/** A row as it was first shown, before the change that showed it. */
interface FirstShown {
  readonly list: WrittenList
  readonly id: number
  /** The fields as responses show them */
  readonly fields: Record<string, unknown>
  /** The project or the organization of the path at which it was first seen */
  readonly parent: string
  readonly request: SeenRequest
  /** The fields that this request set. Their values before it are not known */
  readonly unknown: ReadonlySet<string>
  /** Whether responses only say that it is there, and none shows it */
  readonly isMadeUp: boolean
}

export type SeenLists = { readonly [List in WrittenList]: RowsSeen }

export class RowsSeen {
  readonly list: WrittenList
  readonly entity: Entity
  readonly requests: readonly SeenRequest[]
  /** The rows that no request with a response created, by their ids */
  readonly shown = new Map<number, FirstShown>()
  readonly created: ReadonlySet<number>
  /** The creates whose responses show no row, because they were lost or not recorded */
  readonly createsWithoutRow: readonly SeenRequest[]
  /** The ids that a request did not find before any response showed them */
  readonly missing = new Set<number>()
  /** The first failed requests that name rows which may not exist, by the ids */
  readonly named = new Map<number, SeenRequest>()
  /** The ids of rows of which a deletion was lost */
  readonly #deleting = new Set<number>()

  /** Between which times the service processed a request, if its clock is exact enough */
  readonly #processed: (request: SeenRequest) => readonly [from: number, until: number]

  /** @param requests in the order in which the service processed the requests */
  constructor(list: WrittenList, requests: readonly SeenRequest[], skew: Skew | null) {
    this.list = list
    const { least, most } = skew ?? { least: 0, most: 0 }
    const isExact = skew && most - least < 1_000
    const tolerance = isExact ? 1_000 : clockTolerance
    this.#processed = ({ record, until }) => [
      record.at + least - tolerance,
      until + most + tolerance,
    ]
    this.entity = entities[list]
    this.requests = requests.filter((request) => request.list === list)
    const creates = this.requests.filter(({ verb }) => verb === 'create')
    this.created = new Set(creates.flatMap(({ rows }) => rows.map(({ id }) => Number(id))))
    this.createsWithoutRow = creates.filter(
      (create) => isUnanswered(create) || (create.status === 201 && create.rows.length === 0),
    )
    for (const request of this.requests) this.#add(request)
  }

  #add(request: SeenRequest) {
    const { record, status, row: named, rows, received, isUpdate, sent } = request
    const { operation, method } = record
    const id = Number(named?.id)
    const isNamed = Number.isInteger(id) && method !== 'OPTIONS'
    const isUnknown = isNamed && !this.created.has(id) && !this.shown.has(id)
    const isOfSource = operation === 'retrievePluginSource' || operation === 'updatePluginSource'
    const isFound = isSuccess(status) && rows.length === 0
    const isSource = isOfSource && isFound && isObject(received)
    if (isUnknown && isFound) this.#addFirst(request, { id }, true)
    const entry = this.shown.get(id)
    if (isSource && entry) entry.fields.source ??= received
    const isOpen = isUnanswered(request) || [400, 405, 429].includes(status)
    const isDeletion = operation === 'deletePlugin' || (isUpdate && sent.deleted === true)
    if (isDeletion && isUnanswered(request)) this.#deleting.add(id)
    if (isUnknown && status === 404 && !this.#deleting.has(id)) this.missing.add(id)
    if (isNamed && isOpen && !this.named.has(id)) this.named.set(id, request)
    for (const row of rows) {
      const rowId = Number(row.id)
      const isNew = this.shown.get(rowId)?.isMadeUp ?? true
      if (!this.created.has(rowId) && isNew) this.#addRow(request, row)
    }
  }

  /** Adds a row as it was before the request that showed it. */
  #addRow(request: SeenRequest, row: SeenRow) {
    const before: Record<string, unknown> = { ...row }
    const { isUpdate, sent } = request
    if (isUpdate && 'deleted' in sent && 'deleted' in row) before.deleted = !row.deleted
    if (isUpdate && 'updated_at' in row && row.created_at) before.updated_at = row.created_at
    this.#addFirst(request, { ...before, id: row.id })
  }

  /** @param isMadeUp whether the response only says that the row is there */
  #addFirst(request: SeenRequest, shown: SeenRow, isMadeUp = false) {
    const { list } = this
    const id = Number(shown.id)
    const entry = this.shown.get(id)
    const fields = { ...entry?.fields, ...shown }
    const first = entry?.request ?? request
    const unknown = new Set(first.isUpdate ? Object.keys(first.sent) : [])
    const { parent } = first
    this.shown.set(id, { list, id, fields, parent, request: first, unknown, isMadeUp })
  }

  /** Whether a row was created after a request (1) or before it (-1), by its time. 0 if that does not tell */
  sideOf({ fields, request }: Pick<FirstShown, 'fields' | 'request'>, other: SeenRequest): number {
    const createdAt = Date.parse(String(fields.created_at))
    const [from, until] = this.#processed(other)
    // With another clock, a row can be younger than the response that shows it.
    if (createdAt > this.#processed(request)[1]) return 0
    return createdAt > until ? 1 : createdAt < from ? -1 : 0
  }

  /** The row of a response in the form of a step that adds it. */
  asNewRow(row: Readonly<Record<string, unknown>>, parent: string): Record<string, unknown> {
    const fields = this.entity.stored
      .filter(({ name, sent }) => sent !== false && name in row)
      .map((field) => [field.name, writtenValue(field, row[field.name])])
    const organization = parseUuid(String(row.organization_id ?? parent))
    const project = parseInteger(parent)
    const place =
      this.list === 'plugins' ? organization && { organization } : project && { project }
    return { ...Object.fromEntries(fields), ...place }
  }
}

/** A row before the first request, with fields as responses show them. */
export type StartRow = Pick<FirstShown, 'list' | 'id' | 'fields' | 'parent'> & {
  /** Whether no response shows it */
  readonly isMadeUp?: boolean
  /** Whether a response showed that it was hidden */
  readonly isHidden?: boolean
}

/** What happened, as far as it is assumed. Rows have names, such as `annotations/9`. */
export interface History {
  readonly start: ReadonlyMap<string, StartRow>
  /** What others did right before requests */
  readonly edits: Map<number, readonly ChangeStep[]>
  /** The writes that took effect, although their responses do not say so */
  readonly tookEffect: Set<number>
  /** The writes of which no later response shows whether they took effect */
  readonly undecided: Set<SeenRequest>
  /** The rows that creates without a row left, by the requests */
  readonly left: ReadonlyMap<number, FirstShown>
  /** What writes did by their own responses, and a simulator does otherwise: right after them */
  readonly results: Map<number, ChangeStep>
}

/** The rows of the list that a request is about. Null for another one */
export function rowsOf({ list }: SeenRequest, seen: SeenLists): RowsSeen | null {
  return list === 'annotations' || list === 'plugins' ? seen[list] : null
}

/** Whether a request can have created a row. */
function isLike(sent: Fields, { fields, unknown }: FirstShown) {
  return ['content', 'name'].every((name) => {
    const [text, shown] = [sent[name], fields[name]]
    const isOpen = typeof text !== 'string' || shown === undefined || unknown.has(name)
    return isOpen || text.trim() === shown
  })
}

/** In milliseconds: how far clocks can differ from the measured skew, or from none. */
const clockTolerance = 5_000

/** What is assumed at first: only rows that are younger by their id were not there. */
export function guessHistory(seen: SeenLists, skew: Skew | null): History {
  const start = new Map<string, StartRow>()
  const edits = new Map<number, readonly ChangeStep[]>()
  const left = new Map<number, FirstShown>()
  for (const rows of Object.values(seen)) {
    const { requests } = rows
    const positions = new Map(requests.map((request, at) => [request, at]))
    const positionOf = (request: SeenRequest) => positions.get(request) ?? -1
    /** The ids of rows that creates made, by the positions of the creates */
    const creates = new Map(
      requests.flatMap(({ verb, rows: [row] }, at) =>
        verb === 'create' && row ? [[at, Number(row.id)] as const] : [],
      ),
    )
    const creatorOf = (after: number, before: number, isOf: (create: SeenRequest) => boolean) =>
      rows.createsWithoutRow.find((create) => {
        const at = positionOf(create)
        return !left.has(create.record.id) && at > after && at < before && isOf(create)
      })
    const named = [...rows.named].flatMap(([id, request]): FirstShown[] => {
      // A 404 says more than a failure, which any id can get.
      if (rows.created.has(id) || rows.shown.has(id) || rows.missing.has(id)) return []
      const { parent, sent } = request
      // A client restores what was deleted.
      const fields = { id, ...(sent.deleted === false && { deleted: true }) }
      return [{ list: rows.list, id, fields, parent, request, unknown: new Set(), isMadeUp: true }]
    })
    const all = [...rows.shown.values(), ...named].sort((a, b) => a.id - b.id)
    const open = rows.createsWithoutRow.filter(({ status }) => status === 201)
    /** Whether as many newer rows can be those of the creates that are left. */
    const isOlder = ({ id, request }: FirstShown) => {
      const newer = all.filter(
        (row) => row.isMadeUp && row.id > id && (row.request.isWrite || !request.isWrite),
      )
      return newer.length >= open.filter(({ record }) => !left.has(record.id)).length
    }
    /** Between which creates a row came: ids are counted up. */
    const placeOf = (row: FirstShown) => {
      const { id, request } = row
      const at = positionOf(request)
      const positions = (isSide: (created: number) => boolean) =>
        [...creates].flatMap(([position, created]) =>
          position <= at && isSide(created) ? position : [],
        )
      const isOld = rows.sideOf(row, requests[0] ?? request) < 0
      const isTimed = !isOld && row.fields.created_at !== undefined
      const sides = requests.slice(0, isTimed ? at : 0).map((other) => rows.sideOf(row, other))
      const younger = sides.indexOf(-1)
      const after = Math.max(sides.lastIndexOf(1), ...positions((created) => created < id))
      const limits = positions((created) => created > id)
      const before = Math.min(younger < 0 ? at : Math.max(younger, after + 1), at, ...limits)
      return { after, before }
    }
    const others = all.filter((row) => {
      const createdAt = Date.parse(String(row.fields.created_at))
      const { after, before } = placeOf(row)
      const creator = creatorOf(after, before, (create) => {
        // A response that shows no row says nothing about a create that failed.
        if (row.isMadeUp && (create.status !== 201 || isOlder(row))) return false
        if (!isLike(create.sent, row)) return false
        if (Number.isNaN(createdAt) || lacks(requests, create, row.id)) return true
        const { record, status } = create
        const isShown = skew === null && status === 201
        return isShown || createdAt >= record.at + (skew?.least ?? 0) - clockTolerance
      })
      if (!creator) return true
      left.set(creator.record.id, row)
      creates.set(positionOf(creator), row.id)
      return false
    })
    for (const row of others) {
      const { after, before } = placeOf(row)
      if (after >= 0 && rows.shown.has(row.id)) {
        const { id } = (requests[before] as SeenRequest).record
        const added = { rows: { [row.list]: [rows.asNewRow(row.fields, row.parent)] } }
        edits.set(id, [...(edits.get(id) ?? []), added as ChangeStep])
      } else
        start.set(`${row.list}/${row.id}`, {
          ...row,
          isHidden: row.isMadeUp && row.fields.deleted === true,
        })
    }
  }
  const tookEffect = new Set(left.keys())
  return { start, edits, tookEffect, undecided: new Set(), left, results: new Map() }
}

/** Whether a whole list before a create did not show a row. */
function lacks(requests: readonly SeenRequest[], create: SeenRequest, id: number) {
  return requests.slice(0, requests.indexOf(create)).some((read) => {
    const isWhole = read.count === read.rows.length && read.terms.length === 0
    return isWhole && read.parent === create.parent && read.rows.every((row) => row.id !== id)
  })
}
