import { Failure } from '../errors.ts'
import type { Caller } from '../http/access.ts'
import type { Window } from '../http/page.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { Slice, type Wire } from '../wire.ts'
import type { Clock } from '../world/clock.ts'
import type { Entry } from '../world/entry.ts'
import { blankAnnotation } from '../world/row-defaults.ts'
import type { AnnotationRow, ProjectRow } from '../world/rows.ts'
import type { Tables } from '../world/tables.ts'
import type { Annotation, AnnotationChanges } from './annotation.ts'
import { LatestPage } from './latest-page.ts'
import type { Terms } from './search.ts'
import { showAnnotation, showWritten } from './texts.ts'
import { holds, isSeenFrom, visibleLists } from './visibility.ts'

/** What endpoints on annotations work with. */
export interface World {
  readonly annotations: Annotations
}

/** What annotations live in. The tables are another object after a reset or a restore. */
export interface Surroundings {
  readonly tables: Tables
  readonly settings: PolicySettings
  readonly clock: Clock
}

/** What listing, creating and changing annotations means (observed §4). */
export class Annotations {
  readonly #world: Surroundings
  readonly #latest = new LatestPage<Annotation>()

  constructor(world: Surroundings) {
    this.#world = world
  }

  /** A part of the annotations that a project sees, newest date_marker first. */
  list(
    project: ProjectRow,
    { limit, offset, search }: Window & { search: Terms },
  ): Slice<Annotation> {
    const { tables, settings } = this.#world
    const { annotations, stamp } = tables
    const lists = visibleLists(project, settings['annotations.deleted.visibility'] === 'listed')
    const shown = stamp.now(tables)
    const asked = [settings.versioning, limit, offset, lists, '?', ...search].join(' ')
    return this.#latest.get(asked, [annotations.version, shown], () => {
      const found = annotations.list(lists).search(search)
      const rows = found.slice(offset, limit)
      return new Slice(
        rows.map((entry) => showAnnotation(entry, tables, shown, settings)),
        found.size,
      )
    })
  }

  /** One that a project sees. @throws Failure `not_found` */
  find(project: ProjectRow, id: number, search: Terms): Entry<AnnotationRow> {
    const { settings } = this.#world
    return this.#lookUp(
      project,
      id,
      search,
      settings['annotations.deleted.visibility'] !== 'hidden',
    )
  }

  /** One to change: PATCH alone finds deleted ones, so that it can restore them. @throws Failure `not_found` */
  findToChange(project: ProjectRow, id: number, search: Terms): Entry<AnnotationRow> {
    const { settings } = this.#world
    return this.#lookUp(project, id, search, settings['annotations.restore'] === 'restores')
  }

  create(project: ProjectRow, caller: Caller, body: AnnotationChanges): Wire<Annotation> {
    const { tables, clock } = this.#world
    const now = clock.iso()
    const entry = tables.annotations.insert({
      id: tables.annotations.nextId,
      ...blankAnnotation,
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
    { row }: Entry<AnnotationRow>,
    project: ProjectRow,
    body: AnnotationChanges,
  ): Wire<Annotation> {
    const { tables, clock } = this.#world
    const kept = { ...row, project: project.id, updated_at: clock.iso() }
    return this.#written(tables.annotations.replace(Object.assign(kept, body)))
  }

  show(entry: Entry<AnnotationRow>): Wire<Annotation> {
    const { tables, settings } = this.#world
    return showAnnotation(entry, tables, tables.stamp.now(tables), settings)
  }

  #written(entry: Entry<AnnotationRow>): Wire<Annotation> {
    const { tables, settings } = this.#world
    return showWritten(entry, tables, tables.stamp.now(tables), settings)
  }

  #lookUp(
    project: ProjectRow,
    id: number,
    terms: Terms,
    deletedToo: boolean,
  ): Entry<AnnotationRow> {
    const entry = this.#world.tables.annotations.entry(id)
    if (!entry || !isSeenFrom(project, entry.row)) throw new Failure('not_found')
    if (entry.row.deleted && !deletedToo) throw new Failure('not_found')
    if (!holds(entry.row, terms)) throw new Failure('not_found')
    return entry
  }
}
