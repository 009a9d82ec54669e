import { Failure } from '../errors.ts'
import type { ApiCaller } from '../http/access.ts'
import type { LimitOffset } from '../http/page.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { type JsonText, Slice } from '../wire.ts'
import type { Clock } from '../world/clock.ts'
import type { TableEntry } from '../world/entry.ts'
import { annotationDefaults } from '../world/row-defaults.ts'
import type { AnnotationRow, ProjectRow } from '../world/rows.ts'
import type { Tables } from '../world/tables.ts'
import type { Annotation, AnnotationChanges } from './annotation.ts'
import { PageCache } from './latest-page.ts'
import type { SearchTerms } from './search.ts'
import { serializeAnnotation, serializeWithoutCache } from './texts.ts'
import { isVisibleTo, matchesTerms, visibleLists } from './visibility.ts'

/** What endpoints on annotations work with. */
export interface AnnotationsWorld {
  readonly annotations: Annotations
}

/** What annotations live in. The tables are another object after a reset or a restore. */
export interface AnnotationsContext {
  readonly tables: Tables
  readonly settings: PolicySettings
  readonly clock: Clock
}

/** What listing, creating and changing annotations means (observed §4). */
export class Annotations {
  readonly #world: AnnotationsContext
  readonly #latest = new PageCache<Annotation>()

  constructor(world: AnnotationsContext) {
    this.#world = world
  }

  /** A part of the annotations that a project sees, newest date_marker first. */
  list(
    project: ProjectRow,
    { limit, offset, search }: LimitOffset & { search: SearchTerms },
  ): Slice<Annotation> {
    const { tables, settings } = this.#world
    const { annotations, embedded } = tables
    const lists = visibleLists(project, settings['annotations.deleted.visibility'] === 'listed')
    const shown = embedded.current(tables)
    const asked = [settings.versioning, limit, offset, lists, '?', ...search].join(' ')
    return this.#latest.get(asked, [annotations.version, shown], () => {
      const found = annotations.list(lists).search(search)
      const rows = found.slice(offset, limit)
      return new Slice(
        rows.map((entry) => serializeAnnotation(entry, tables, shown, settings)),
        found.size,
      )
    })
  }

  /** One that a project sees. @throws Failure `not_found` */
  findVisible(project: ProjectRow, id: number, search: SearchTerms): TableEntry<AnnotationRow> {
    const { settings } = this.#world
    return this.#lookUp(
      project,
      id,
      search,
      settings['annotations.deleted.visibility'] !== 'hidden',
    )
  }

  /** One to change: PATCH alone finds deleted ones, so that it can restore them. @throws Failure `not_found` */
  findToChange(project: ProjectRow, id: number, search: SearchTerms): TableEntry<AnnotationRow> {
    const { settings } = this.#world
    return this.#lookUp(project, id, search, settings['annotations.restore'] === 'restores')
  }

  create(project: ProjectRow, caller: ApiCaller, body: AnnotationChanges): JsonText<Annotation> {
    const { tables, clock } = this.#world
    const now = clock.iso()
    const entry = tables.annotations.insert({
      id: tables.annotations.nextId,
      ...annotationDefaults,
      ...body,
      created_by: caller.user.id,
      created_at: now,
      updated_at: now,
      project: project.id,
      organization: project.organization,
    })
    return this.#written(entry)
  }

  /** Changes what is given. Every save sets updated_at and moves the row to the project of the path (observed §4.4). */
  change(
    { row }: TableEntry<AnnotationRow>,
    project: ProjectRow,
    body: AnnotationChanges,
  ): JsonText<Annotation> {
    const { tables, clock } = this.#world
    const kept = { ...row, project: project.id, updated_at: clock.iso() }
    return this.#written(tables.annotations.replace(Object.assign(kept, body)))
  }

  serialize(entry: TableEntry<AnnotationRow>): JsonText<Annotation> {
    const { tables, settings } = this.#world
    return serializeAnnotation(entry, tables, tables.embedded.current(tables), settings)
  }

  #written(entry: TableEntry<AnnotationRow>): JsonText<Annotation> {
    const { tables, settings } = this.#world
    return serializeWithoutCache(entry, tables, tables.embedded.current(tables), settings)
  }

  #lookUp(
    project: ProjectRow,
    id: number,
    terms: SearchTerms,
    deletedToo: boolean,
  ): TableEntry<AnnotationRow> {
    const entry = this.#world.tables.annotations.entry(id)
    if (!entry || !isVisibleTo(project, entry.row)) throw new Failure('not_found')
    if (entry.row.deleted && !deletedToo) throw new Failure('not_found')
    if (!matchesTerms(entry.row, terms)) throw new Failure('not_found')
    return entry
  }
}
