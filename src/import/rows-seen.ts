import { parseInteger } from '../http/messages.ts'
import { isObject } from '../utils/json.ts'
import { entities } from '../world/entities/entities.ts'
import type { Entity } from '../world/entities/field.ts'
import { writtenValue } from './draft-rows.ts'
import { isUnanswered, type Observation, type SeenRow } from './observation.ts'

/** The lists whose rows clients create and change. */
export type WrittenList = 'annotations' | 'plugins'

/** A row as it was first shown, before the change that showed it. */
export interface FirstShown {
  readonly list: WrittenList
  readonly id: number
  /** The fields as responses show them */
  readonly fields: Record<string, unknown>
  /** The project or the organization of the path at which it was first seen */
  readonly parent: string
  /** The request that showed it */
  readonly observation: Observation
  /** The fields that this request set. Their values before it are not known */
  readonly unknown: ReadonlySet<string>
}

export type SeenLists = { readonly [List in WrittenList]: RowsSeen }

/** The rows of a list that requests showed. */
export class RowsSeen {
  readonly list: WrittenList
  readonly entity: Entity
  readonly observations: readonly Observation[]
  /** The rows that no request with a response created, by their ids */
  readonly shown = new Map<number, FirstShown>()
  /** The ids of rows that requests created */
  readonly created: ReadonlySet<number>
  /** The creates whose responses show no row, because they were lost or not recorded */
  readonly createsWithoutRow: readonly Observation[]
  /** The ids that a request did not find before any response showed them */
  readonly missing = new Set<number>()
  /** The projects of annotations that a request could not delete, by their ids. The 405 does not say that they exist */
  readonly undeleted = new Map<number, string>()
  /** By a write: its row in the first response after it that shows the row */
  readonly shownAfter = new Map<Observation, SeenRow>()

  /** @param observations in the order in which the service processed the requests */
  constructor(list: WrittenList, observations: readonly Observation[]) {
    this.list = list
    this.entity = entities[list]
    this.observations = observations.filter((observation) => observation.list === list)
    const creates = this.observations.filter(({ verb }) => verb === 'create')
    this.created = new Set(creates.flatMap(({ rows }) => rows.map(({ id }) => Number(id))))
    this.createsWithoutRow = creates.filter(
      (create) => isUnanswered(create) || (create.status === 201 && create.rows.length === 0),
    )
    for (const observation of this.observations) this.#add(observation)
    const next = new Map<number, SeenRow>()
    for (const observation of this.observations.toReversed()) {
      const { method, rows } = observation
      const again = method === 'GET' ? undefined : next.get(Number(rows[0]?.id))
      if (again) this.shownAfter.set(observation, again)
      for (const row of rows) next.set(Number(row.id), row)
    }
  }

  #add(observation: Observation): void {
    const { operation, status, params, rows, other } = observation
    const [id, parent] = [Number(params.id), parentOf(observation)]
    const isNamed = Number.isInteger(id)
    const isUnknown = isNamed && !this.created.has(id) && !this.shown.has(id)
    const isOfSource = operation === 'retrievePluginSource' || operation === 'updatePluginSource'
    const isSource = isOfSource && status === 200 && isObject(other)
    if (isUnknown && ((operation === 'deletePlugin' && status === 204) || isSource))
      this.#addFirst(observation, { id })
    const known = this.shown.get(id)
    if (isSource && known) known.fields.source ??= other
    if (isUnknown && status === 404) this.missing.add(id)
    if (isNamed && operation === 'deleteAnnotation' && status === 405)
      this.undeleted.set(id, parent)
    for (const row of rows) {
      const rowId = Number(row.id)
      if (!this.created.has(rowId) && !this.shown.has(rowId)) this.#addRow(observation, row)
    }
  }

  /** Adds a row as it was before the request that showed it. */
  #addRow(observation: Observation, row: SeenRow): void {
    const { sent } = observation
    const before: Record<string, unknown> = { ...row }
    const isChange = isUpdate(observation)
    if (isChange && sent && 'deleted' in sent && 'deleted' in row) before.deleted = !row.deleted
    if (isChange && 'updated_at' in row && row.created_at) before.updated_at = row.created_at
    this.#addFirst(observation, { ...before, id: row.id })
  }

  #addFirst(observation: Observation, fields: SeenRow): void {
    const { list } = this
    const id = Number(fields.id)
    const parent = parentOf(observation)
    const unknown = new Set(isUpdate(observation) ? Object.keys(observation.sent ?? {}) : [])
    this.shown.set(id, { list, id, fields: { ...fields }, parent, observation, unknown })
  }

  /** The row of a response in the form of a step that adds it. */
  asNewRow(row: Readonly<Record<string, unknown>>, parent: string): Record<string, unknown> {
    const fields = this.entity.stored
      .filter(({ name, sent }) => sent !== false && name in row)
      .map((field) => [field.name, writtenValue(field, row[field.name])])
    const project = parseInteger(parent)
    return { ...Object.fromEntries(fields), ...(project !== undefined && { project }) }
  }
}

function isUpdate({ method }: Observation): boolean {
  return method === 'PATCH' || method === 'PUT'
}

/** The project or the organization of the path of a request. */
export function parentOf({ params }: Observation): string {
  return params.project_id ?? params.organization_id ?? ''
}
