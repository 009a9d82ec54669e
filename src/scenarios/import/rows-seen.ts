import { isObject } from '../../utils/json.ts'
import { parseInteger } from '../../utils/python/text.ts'
import { annotation } from '../../world/entities/annotation.ts'
import type { Entity } from '../../world/entities/field.ts'
import { plugin } from '../../world/entities/plugin.ts'
import { isUnanswered, type SeenRow, type Sighting } from './sighting.ts'

/** The lists whose rows clients create and change. */
export type WrittenList = 'annotations' | 'plugins'

const entityOf: { readonly [List in WrittenList]: Entity } = {
  annotations: annotation,
  plugins: plugin,
}

/** A row as it was first shown, before the change that showed it. */
export interface FirstShown {
  readonly list: WrittenList
  readonly id: number
  /** The fields as responses show them */
  readonly fields: Record<string, unknown>
  /** The project or the organization of the path at which it was first seen */
  readonly parent: string
  /** The request that showed it */
  readonly sighting: Sighting
}

/** The rows of a list that requests showed. */
export class RowsSeen {
  readonly list: WrittenList
  /** The word for a row in the ids of operations */
  readonly name: 'Annotation' | 'Plugin'
  readonly entity: Entity
  readonly sightings: readonly Sighting[]
  /** The rows that no request with a response created, by their ids */
  readonly shown = new Map<number, FirstShown>()
  /** The ids of rows that requests created */
  readonly created: ReadonlySet<number>
  /** The ids that a request did not find before any response showed them */
  readonly missing = new Set<number>()
  /** The projects of annotations that a request could not delete, by their ids. The 405 does not say that they exist */
  readonly undeleted = new Map<number, string>()
  /** The first requests that found annotations whose responses were not recorded, by their ids */
  readonly unread = new Map<number, Sighting>()

  /** @param sightings in the order in which the service processed the requests */
  constructor(list: WrittenList, sightings: readonly Sighting[]) {
    this.list = list
    this.entity = entityOf[list]
    this.name = list === 'annotations' ? 'Annotation' : 'Plugin'
    this.sightings = sightings.filter(({ operation }) => operation?.includes(this.name))
    const creates = this.sightings.filter(({ operation }) => operation === `create${this.name}`)
    this.created = new Set(creates.flatMap(({ rows }) => rows.map(({ id }) => Number(id))))
    for (const sighting of this.sightings) this.#add(sighting)
  }

  /** The creates whose responses show no row, because they were lost or not recorded. */
  get createsWithoutRow(): Sighting[] {
    return this.sightings.filter(
      (each) =>
        each.operation === `create${this.name}` &&
        (isUnanswered(each) || (each.status === 201 && each.rows.length === 0)),
    )
  }

  #add(sighting: Sighting): void {
    const { operation = '', status, params, rows, other } = sighting
    const [id, parent] = [Number(params.id), parentOf(sighting)]
    const isNamed = Number.isInteger(id)
    const isUnknown = isNamed && !this.created.has(id) && !this.shown.has(id)
    const isSource = /PluginSource$/.test(operation ?? '') && status === 200 && isObject(other)
    if (isUnknown && ((operation === 'deletePlugin' && status === 204) || isSource)) {
      this.#addFirst(sighting, { id, name: `Plugin ${id}` })
    }
    const known = this.shown.get(id)
    if (isSource && known) known.fields.source ??= other
    if (isUnknown && status === 404) this.missing.add(id)
    if (isNamed && operation === 'deleteAnnotation' && status === 405)
      this.undeleted.set(id, parent)
    const isOne = /^(?:retrieve|update|replace)Annotation$/.test(operation ?? '')
    const isUnread = isNamed && isOne && status === 200 && rows.length === 0
    if (isUnread && !this.unread.has(id)) this.unread.set(id, sighting)
    for (const row of rows) {
      const rowId = Number(row.id)
      if (!this.created.has(rowId) && !this.shown.has(rowId)) this.#addRow(sighting, row)
    }
  }

  /** Adds a row as it was before the request that showed it. */
  #addRow(sighting: Sighting, row: SeenRow): void {
    const { sent, method } = sighting
    const before: Record<string, unknown> = { ...row }
    const isChange = method === 'PATCH' || method === 'PUT'
    if (isChange && sent && 'deleted' in sent && 'deleted' in row) before.deleted = !row.deleted
    if (isChange && 'updated_at' in row && row.created_at) before.updated_at = row.created_at
    this.#addFirst(sighting, { ...before, id: row.id })
  }

  #addFirst(sighting: Sighting, fields: SeenRow): void {
    const { list } = this
    const id = Number(fields.id)
    const parent = parentOf(sighting)
    this.shown.set(id, { list, id, fields: { ...fields }, parent, sighting })
  }

  /** The row of a response in the form of a step that adds it. */
  asNewRow(row: Readonly<Record<string, unknown>>, parent: string): Record<string, unknown> {
    const fields = this.entity.stored
      .filter(({ name, hidden }) => !hidden && name in row)
      .map(({ name, kind }) => {
        const value = row[name]
        return [name, kind === 'reference' && isObject(value) ? value.id : value]
      })
    const project = parseInteger(parent)
    return { ...Object.fromEntries(fields), ...(project !== undefined && { project }) }
  }
}

/** The project or the organization of the path of a request. */
export function parentOf({ params }: Sighting): string {
  return params.project_id ?? params.organization_id ?? ''
}
