import type { ApiCaller } from '../../http/authenticate.ts'
import { Failure } from '../../http/failures.ts'
import type { LimitOffset } from '../../http/page.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { type JsonText, Slice } from '../../utils/json-text.ts'
import type { Clock } from '../../world/clock/clock.ts'
import { annotationDefaults } from '../../world/defaults.ts'
import type { AnnotationRow, ProjectRow } from '../../world/rows.ts'
import type { TableEntry } from '../../world/table/entry.ts'
import type { Tables } from '../../world/table/tables.ts'
import type { Annotation, AnnotationChanges } from './annotation.ts'
import { isVisibleTo, matchesTerms, type SearchTerms, visibleLists } from './filter.ts'
import { serializeAnnotation, serializeWithoutCache } from './serialize.ts'

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

interface LookupInput {
  readonly project: ProjectRow
  readonly params: { readonly id: number }
  readonly query: { readonly search: SearchTerms }
}

/** The annotation of the path, as the project sees it. */
export function findVisibleAnnotation(
  { project, params, query }: LookupInput,
  { annotations }: AnnotationsWorld,
): TableEntry<AnnotationRow> {
  return annotations.findVisible(project, params.id, query.search)
}

/** The annotation of the path, deleted or not: changing it can restore it. */
export function findAnnotationToChange(
  { project, params, query }: LookupInput,
  { annotations }: AnnotationsWorld,
): TableEntry<AnnotationRow> {
  return annotations.findToChange(project, params.id, query.search)
}

/** What a page was made of; other objects, once any of it has changed. */
export type PageVersion = readonly [rows: object, shown: object]

/** The most rows of a page that is kept: what few ask for would hold much memory. */
const maxCachedRows = 250

/**
 * The page that was listed last, for as long as no row has changed. Whoever polls a list asks for the same one again
 * and again, and it need not be put together each time.
 *
 * @example
 * const page = latest.get('project:1 0 100', [table.version, shown], () => slice)
 */
class PageCache<T> {
  #asked = ''
  #sources: PageVersion | null = null
  #page: Slice<T> | null = null

  /**
   * @param asked all that tells pages of the same rows apart
   * @param make gives the page where it is another one, or was of other rows
   */
  get(asked: string, sources: PageVersion, make: () => Slice<T>): Slice<T> {
    if (this.#page && asked === this.#asked && this.#isOf(sources)) return this.#page
    const page = make()
    const isKept = page.rows.length <= maxCachedRows
    this.#asked = asked
    this.#sources = sources
    this.#page = isKept ? page : null
    return page
  }

  #isOf([rows, shown]: PageVersion): boolean {
    return this.#sources?.[0] === rows && this.#sources[1] === shown
  }
}
