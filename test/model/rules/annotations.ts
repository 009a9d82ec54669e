import { shownFields } from '../../support/api/document.ts'
import { type Annotation, byId, type Json, pick, type Rows, type User } from '../rows.ts'
import { notFound } from './answers.ts'
import type { AnnotationCall } from './call.ts'
import { sortable } from './dates.ts'
import { firstAnnotation, readAnnotation } from './fields.ts'
import { page } from './pages.ts'

/** How an annotation is shown. */
function show(rows: Rows, row: Annotation): Json {
  const item = byId(rows.dashboard_items, row.dashboard_item)
  const user = byId(rows.users, row.created_by)
  const created_by = user ? pick(user, shownFields.created_by as (keyof User)[]) : null
  const shown = {
    ...{ ...row, created_by },
    insight_short_id: item?.short_id ?? null,
    insight_name: item?.name ?? null,
  }
  return pick(shown, shownFields.annotation as (keyof typeof shown)[])
}

/** A project sees its own annotations, and those of its organization that are for all of it. */
function reachable({ rows, project }: AnnotationCall): Annotation[] {
  return rows.annotations.filter((row) => {
    const home = byId(rows.projects, row.project)
    const isShared = row.scope === 'organization' && home?.organization === project.organization
    return row.project === project.id || isShared
  })
}

/** PATCH finds deleted annotations, too. In `live`, a search that does not match hides an annotation. */
function find(call: AnnotationCall): Annotation {
  const { live, method, route } = call
  const row = reachable(call)
    .filter(({ deleted }) => !deleted || method === 'PATCH')
    .filter((row) => !live || matches(call, row))
    .find(({ id }) => String(id) === route.id)
  if (!row) throw notFound()
  return row
}

export function list(call: AnnotationCall): Json {
  const rows = reachable(call)
    .filter((row) => !row.deleted && matches(call, row))
    .sort(newestFirst)
  return page(
    call.request,
    rows.map((row) => show(call.rows, row)),
    1000,
  )
}

/** Every term of the search occurs in the content. */
function matches({ request }: AnnotationCall, { content }: Annotation): boolean {
  const search = request.query.findLast(([name]) => name === 'search')?.[1] ?? ''
  const terms = search
    .replaceAll('\0', '')
    .split(/[\s,]+/)
    .filter(Boolean)
  return terms.every((term) => content?.toLowerCase().includes(term.toLowerCase()))
}

/** Without a date first, then the newest. The document leaves the order of equal dates open: here by id. */
function newestFirst(a: Annotation, b: Annotation): number {
  const [first, second] = [a, b].map(({ date_marker }) =>
    date_marker === null ? 'none' : sortable(date_marker),
  ) as [string, string]
  if (first === second) return b.id - a.id
  return first > second ? -1 : 1
}

export function create(call: AnnotationCall): Json {
  const { rows, project, user, now } = call
  const row: Annotation = {
    ...firstAnnotation,
    id: rows.nextAnnotation,
    created_by: user.id,
    created_at: now,
    updated_at: now,
    project: project.id,
    ...readAnnotation(call.parse(), call),
  }
  rows.nextAnnotation += 1
  rows.annotations.push(row)
  return show(rows, row)
}

export function retrieve(call: AnnotationCall): Json {
  return show(call.rows, find(call))
}

/** Moves an annotation to the project of the path. */
export function update(call: AnnotationCall): Json {
  const { rows, project, now } = call
  const row = find(call)
  const fields = readAnnotation(call.parse(), call)
  Object.assign(row, fields, { updated_at: now, project: project.id })
  return show(rows, row)
}
