import type { Entry } from '../world/entry.ts'
import type { AnnotationRow, ProjectRow } from '../world/rows.ts'
import type { World } from './annotations.ts'
import type { Terms } from './search.ts'

interface Asked {
  readonly project: ProjectRow
  readonly params: { readonly id: number }
  readonly query: { readonly search: Terms }
}

/** The annotation of the path, as the project sees it. */
export function annotationSeen(
  { project, params, query }: Asked,
  { annotations }: World,
): Entry<AnnotationRow> {
  return annotations.find(project, params.id, query.search)
}

/** The annotation of the path, deleted or not: changing it can restore it. */
export function annotationToChange(
  { project, params, query }: Asked,
  { annotations }: World,
): Entry<AnnotationRow> {
  return annotations.findToChange(project, params.id, query.search)
}
