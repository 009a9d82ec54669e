import type { ApiCaller, ApiContext } from '../../http/endpoint.ts'
import { notFound, quote } from '../../http/failures.ts'
import { ignoredParameter, type Parameter } from '../../http/input.ts'
import {
  createRowWriter,
  type JsonPage,
  type LinkedWindow,
  type RowWriter,
  toPage,
} from '../../http/pages.ts'
import { type PerSetting, perSetting } from '../../settings/setting.ts'
import type { JsonText } from '../../utils/json.ts'
import { parseInteger } from '../../utils/python.ts'
import {
  type Annotation,
  type AnnotationChanges,
  type AnnotationRow,
  annotation,
} from '../../world/entities/annotation.ts'
import type { ProjectRow } from '../../world/rows.ts'
import { matchesTerms, searchTerms } from '../../world/search.ts'
import { deletedFrom, type Tables } from '../../world/tables.ts'

/** A page of the annotations that a project sees, newest date_marker first. */
export function pageOfAnnotations(
  { id, organization }: ProjectRow,
  { search, ...window }: LinkedWindow & { search: SearchTerms },
  context: ApiContext,
): JsonPage {
  const { tables, settings, texts } = context
  const includesDeleted = settings['annotations.deleted.visibility'] === 'listed'
  const keys = [id, organization]
  if (includesDeleted) keys.push(deletedFrom(id), deletedFrom(organization))
  const visible = tables.annotations.listed(...keys)
  const pages = texts.pagesOf(tables, tables.annotations)
  const key = JSON.stringify([keys, search])
  const find = () =>
    visible.slice(0, visible.size).filter(({ content }) => matchesTerms(content, search))
  const rows = search.length === 0 ? visible : pages.search(key, find)
  // The version is read with the first row: a page without rows depends on none.
  const made =
    rows.size > window.offset ? { pages, key: settings['annotations.fields'] + key } : undefined
  return toPage(rows, window, writeAnnotation(context), made)
}

/** The input of an operation on the annotation of a path. */
interface AnnotationInput {
  readonly project: ProjectRow
  readonly params: { readonly id: number }
  readonly query: { readonly search: SearchTerms }
}

/** Finds the annotation of a path, to show it. @throws Failure `not_found` */
export function findVisibleAnnotation(input: AnnotationInput, context: ApiContext): AnnotationRow {
  return find(input, context, context.settings['annotations.deleted.visibility'] !== 'hidden')
}

/** Finds the annotation of a path, to change it. PATCH also finds deleted ones, to restore them. @throws Failure `not_found` */
export function findAnnotationToChange(input: AnnotationInput, context: ApiContext): AnnotationRow {
  return find(input, context, context.settings['annotations.restore'] === 'restores')
}

function find(
  { project, params: { id }, query }: AnnotationInput,
  { tables }: ApiContext,
  includesDeleted: boolean,
): AnnotationRow {
  const row = tables.annotations.get(id)
  if (!row || !isVisibleTo(project, row)) {
    const owner = row ? ` (it belongs to project ${row.project})` : ''
    throw notFound(() => `no annotation ${id} in project ${project.id}${owner}`)
  }
  if (row.deleted && !includesDeleted) throw notFound(() => `annotation ${id} is deleted`)
  if (query.search.length === 0 || matchesTerms(row.content, query.search)) return row
  throw notFound(() => `annotation ${id} does not match the parameter search`)
}

/** Whether a project sees an annotation, deleted or not. */
function isVisibleTo(project: ProjectRow, row: AnnotationRow): boolean {
  if (row.project === project.id) return true
  return row.scope === 'organization' && row.organization === project.organization
}

/** Why a project has no annotation to delete. @param id as in the path @returns null if it has one */
export function describeMissing(project: ProjectRow, id: string, tables: Tables): string | null {
  const row = tables.annotations.get(parseInteger(id) ?? 0)
  if (!row) return `there is no annotation ${quote(id)}`
  if (!isVisibleTo(project, row)) return `annotation ${row.id} belongs to project ${row.project}`
  return row.deleted ? `annotation ${row.id} is deleted already` : null
}

export function addAnnotation(
  project: ProjectRow,
  caller: ApiCaller,
  body: AnnotationChanges,
  context: ApiContext,
): JsonText<Annotation> {
  const { tables, clock } = context
  const now = clock.iso()
  const row = annotation.create<AnnotationRow>({
    id: tables.annotations.nextId,
    created_by: caller.user.id,
    created_at: now,
    updated_at: now,
    project: project.id,
    organization: project.organization,
  })
  return writeAnnotation(context)(tables.annotations.put({ ...row, ...body }))
}

/**
 * Changes the fields of the body. Seen in the live service: every save sets updated_at, and moves the annotation to the
 * project of the path.
 */
export function changeAnnotation(
  row: AnnotationRow,
  project: ProjectRow,
  body: AnnotationChanges,
  context: ApiContext,
): JsonText<Annotation> {
  const { tables, clock } = context
  const changed = { ...row, project: project.id, updated_at: clock.iso(), ...body }
  return writeAnnotation(context)(tables.annotations.put(changed))
}

/** Folded search terms. An annotation matches if its content contains all of them. */
type SearchTerms = readonly string[]

/**
 * The search parameter. Seen in the live service: commas and white space separate terms, NUL characters are ignored,
 * and quotes have no special meaning.
 */
export const search: Parameter<SearchTerms> = {
  description: 'Words that the content must contain, in any order.',
  schema: { type: 'string', default: '' },
  read: (text) => (text === null ? [] : searchTerms(text.replaceAll('\0', ''))),
}

/** By setting, the search parameter also filters operations on a single annotation. */
export const searchOnLookup: { readonly search: PerSetting<Parameter<SearchTerms>> } = {
  search: perSetting('annotations.search.reach', {
    list: ignoredParameter<SearchTerms>([]),
    every_lookup: search,
  }),
}

/** Writes an annotation as JSON. */
export const writeAnnotation: RowWriter<AnnotationRow, Annotation> = createRowWriter(annotation)
