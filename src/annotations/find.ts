import type { TableEntry } from '../world/entry.ts'
import type { AnnotationRow, ProjectRow } from '../world/rows.ts'
import type { AnnotationsWorld } from './annotations.ts'
import type { SearchTerms } from './search.ts'

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
