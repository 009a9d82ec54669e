import type { ApiCaller } from '../../http/endpoint.ts'
import { notFound } from '../../http/failures.ts'
import {
  ignoredParameter,
  type LimitOffset,
  type Parameter,
  type Slice,
  sliceOrdered,
} from '../../http/parameters.ts'
import { bySetting, type Resolvable } from '../../settings/by-setting.ts'
import type { JsonText } from '../../utils/json.ts'
import {
  type Annotation,
  type AnnotationChanges,
  type AnnotationRow,
  annotation,
} from '../../world/entities/annotation.ts'
import { pagesOf } from '../../world/response-texts.ts'
import type { ProjectRow } from '../../world/rows.ts'
import { matchesTerms, searchTerms } from '../../world/search.ts'
import { orderedRows } from '../../world/sorted-list.ts'
import { deletedFrom } from '../../world/tables.ts'
import type { ApiContext } from '../context.ts'
import { createRowWriter } from '../row-text.ts'

export interface AnnotationsWorld {
  readonly annotations: Annotations
}

export class Annotations {
  readonly #context: ApiContext

  constructor(context: ApiContext) {
    this.#context = context
  }

  /** A page of the annotations that a project sees, newest date_marker first. */
  list(
    { id, organization }: ProjectRow,
    { search, ...window }: LimitOffset & { search: SearchTerms },
  ): Slice<Annotation> {
    const { tables, settings } = this.#context
    const includesDeleted = settings['annotations.deleted.visibility'] === 'listed'
    const places = [id, organization]
    if (includesDeleted) places.push(deletedFrom(id), deletedFrom(organization))
    const visible = tables.annotations.listed(...places)
    const found =
      search.length === 0
        ? visible
        : orderedRows(
            visible.slice(0, visible.size).filter(({ content }) => matchesTerms(content, search)),
          )
    // The version is read with the first row: a page without rows rests on none.
    const made =
      found.size > window.offset
        ? {
            pages: pagesOf(tables, tables.annotations),
            key: JSON.stringify([settings.versioning, places, search]),
          }
        : undefined
    return sliceOrdered(found, window, writeAnnotation(this.#context), made)
  }

  /** Whether there is an annotation that is not deleted, in any project. */
  has(id: string): boolean {
    return this.#context.tables.annotations.get(Number(id))?.deleted === false
  }

  findVisible(project: ProjectRow, id: number, search: SearchTerms): AnnotationRow {
    const includesDeleted = this.#context.settings['annotations.deleted.visibility'] !== 'hidden'
    return this.#find(project, id, search, includesDeleted)
  }

  /** Finds an annotation to change. PATCH also finds deleted ones, to restore them. @throws Failure `not_found` */
  findToChange(project: ProjectRow, id: number, search: SearchTerms): AnnotationRow {
    const includesDeleted = this.#context.settings['annotations.restore'] === 'restores'
    return this.#find(project, id, search, includesDeleted)
  }

  create(project: ProjectRow, caller: ApiCaller, body: AnnotationChanges): JsonText<Annotation> {
    const { tables, clock } = this.#context
    const now = clock.iso()
    const row = annotation.create<AnnotationRow>({
      id: tables.annotations.nextId,
      created_by: caller.user.id,
      created_at: now,
      updated_at: now,
      project: project.id,
      organization: project.organization,
    })
    return this.write(tables.annotations.put({ ...row, ...body }))
  }

  /**
   * Changes the fields of the body. Seen in the live service: every save sets updated_at, and moves the annotation to
   * the project of the path.
   */
  change(row: AnnotationRow, project: ProjectRow, body: AnnotationChanges): JsonText<Annotation> {
    const { tables, clock } = this.#context
    const changed = { ...row, project: project.id, updated_at: clock.iso(), ...body }
    return this.write(tables.annotations.put(changed))
  }

  write(row: AnnotationRow): JsonText<Annotation> {
    return writeAnnotation(this.#context)(row)
  }

  #find(
    project: ProjectRow,
    id: number,
    search: SearchTerms,
    includesDeleted: boolean,
  ): AnnotationRow {
    const row = this.#context.tables.annotations.get(id)
    if (!row || !isVisibleTo(project, row)) {
      const owner = row ? ` (it belongs to project ${row.project})` : ''
      throw notFound(() => `no annotation ${id} in project ${project.id}${owner}`)
    }
    if (row.deleted && !includesDeleted) throw notFound(() => `annotation ${id} is deleted`)
    if (matchesTerms(row.content, search)) return row
    throw notFound(() => `annotation ${id} does not match the parameter search`)
  }
}

type FindAnnotation = (
  input: {
    readonly project: ProjectRow
    readonly params: { readonly id: number }
    readonly query: { readonly search: SearchTerms }
  },
  world: AnnotationsWorld,
) => AnnotationRow

export const findVisibleAnnotation: FindAnnotation = (input, { annotations }) =>
  annotations.findVisible(input.project, input.params.id, input.query.search)

export const findAnnotationToChange: FindAnnotation = (input, { annotations }) =>
  annotations.findToChange(input.project, input.params.id, input.query.search)

/** Folded search terms. An annotation matches if its content contains all of them. */
type SearchTerms = readonly string[]

/**
 * The search parameter. Seen in the live service: commas and white space separate terms, NUL characters are ignored,
 * and quotes have no special meaning.
 */
export const search: Parameter<SearchTerms> = {
  description: 'Words that the content must contain, in any order.',
  schema: { type: 'string' },
  read: (text) => (text === null ? [] : searchTerms(text.replaceAll('\0', ''))),
}

/** By setting, the search parameter also filters operations on a single annotation. */
export const searchOnLookup: { readonly search: Resolvable<Parameter<SearchTerms>> } = {
  search: bySetting('annotations.search.reach', {
    list: ignoredParameter<SearchTerms>([]),
    every_lookup: search,
  }),
}

/** Whether a project sees an annotation, deleted or not. */
function isVisibleTo(project: ProjectRow, row: AnnotationRow): boolean {
  if (row.project === project.id) return true
  return row.scope === 'organization' && row.organization === project.organization
}

const writeAnnotation = createRowWriter<AnnotationRow, Annotation>(annotation)
