import type { ApiRequest, Meaning } from '../request.ts'
import { type Annotation, byId, type Json, type Project, type Rows } from '../rows.ts'
import type { Caller } from './access.ts'
import { notFound } from './answers.ts'
import { sortable } from './dates.ts'
import { type AnnotationFields, firstAnnotation, readAnnotation } from './fields.ts'
import { page } from './pages.ts'

type ReadOnly =
  | 'id'
  | 'insight_short_id'
  | 'insight_name'
  | 'created_by'
  | 'created_at'
  | 'updated_at'

/** How an annotation is shown. */
function show(rows: Rows, row: Annotation): Record<keyof AnnotationFields | ReadOnly, Json> {
  const item = byId(rows.dashboard_items, row.dashboard_item)
  const user = byId(rows.users, row.created_by)
  return {
    id: row.id,
    content: row.content,
    date_marker: row.date_marker,
    creation_type: row.creation_type,
    dashboard_item: row.dashboard_item,
    insight_short_id: item?.short_id ?? null,
    insight_name: item?.name ?? null,
    created_by: user
      ? {
          id: user.id,
          uuid: user.uuid,
          distinct_id: user.distinct_id,
          first_name: user.first_name,
          last_name: user.last_name,
          email: user.email,
          is_email_verified: user.is_email_verified,
          hedgehog_config: user.hedgehog_config,
        }
      : null,
    created_at: row.created_at,
    updated_at: row.updated_at,
    deleted: row.deleted,
    scope: row.scope,
  }
}

/** A project sees its own annotations, and those of its organization that are for all of it. */
function reachable(rows: Rows, project: Project): Annotation[] {
  return rows.annotations.filter((row) => {
    const home = byId(rows.projects, row.project)
    const isShared = row.scope === 'organization' && home?.organization === project.organization
    return row.project === project.id || isShared
  })
}

function find(candidates: readonly Annotation[], id: string): Annotation {
  const row = candidates.find((one) => String(one.id) === id)
  if (!row) throw notFound()
  return row
}

export function list(rows: Rows, project: Project, request: ApiRequest): Json {
  const search = request.query.findLast(([name]) => name === 'search')?.[1] ?? ''
  const terms = search
    .replaceAll('\0', '')
    .split(/[\s,]+/)
    .filter(Boolean)
  const found = reachable(rows, project)
    .filter(({ deleted }) => !deleted)
    .filter(({ content }) => terms.every((term) => contains(content, term)))
    .sort(newestFirst)
  return page(
    request,
    found.map((row) => show(rows, row)),
    1000,
  )
}

const contains = (content: string | null, term: string): boolean =>
  content?.toLowerCase().includes(term.toLowerCase()) ?? false

/** Without a date first, then the newest. The document leaves the order of equal dates open: here by id. */
function newestFirst(one: Annotation, other: Annotation): number {
  const [first, second] = [one, other].map(({ date_marker }) =>
    date_marker === null ? 'none' : sortable(date_marker),
  ) as [string, string]
  if (first === second) return tieOrder(one, other)
  return first > second ? -1 : 1
}

const tieOrder = (one: Annotation, other: Annotation): number => other.id - one.id

export function create(
  rows: Rows,
  project: Project,
  { user }: Caller,
  means: Meaning,
  now: string,
): Json {
  const row: Annotation = {
    id: rows.nextAnnotation,
    ...firstAnnotation,
    created_by: user.id,
    created_at: now,
    updated_at: now,
    project: project.id,
    ...readAnnotation(means, rows),
  }
  rows.nextAnnotation += 1
  rows.annotations.push(row)
  return show(rows, row)
}

export function retrieve(rows: Rows, project: Project, id: string): Json {
  const visible = reachable(rows, project).filter(({ deleted }) => !deleted)
  return show(rows, find(visible, id))
}

/** PATCH finds deleted annotations, too. It moves an annotation to the project of the path. */
export function update(
  rows: Rows,
  project: Project,
  id: string,
  parse: () => Meaning,
  now: string,
): Json {
  const row = find(reachable(rows, project), id)
  Object.assign(row, readAnnotation(parse(), rows), { updated_at: now, project: project.id })
  return show(rows, row)
}
