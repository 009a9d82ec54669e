import { foldText } from '../world/fold.ts'
import { deletedIndex, organizationIndex, projectIndex } from '../world/list-names.ts'
import type { AnnotationRow, ProjectRow } from '../world/rows.ts'
import type { SearchTerms } from './search.ts'

/** The lists whose rows a project sees: its own, and the organization-wide ones of its organization. */
export function visibleLists({ id, organization }: ProjectRow, deletedToo: boolean): string[] {
  const lists = [projectIndex(id), organizationIndex(organization)]
  return deletedToo ? [...lists, ...lists.map(deletedIndex)] : lists
}

/** Whether a project sees a row, deleted or not. */
export function isVisibleTo(project: ProjectRow, row: AnnotationRow): boolean {
  if (row.project === project.id) return true
  return row.scope === 'organization' && row.organization === project.organization
}

/** Whether every term is found in the content. */
export function matchesTerms({ content }: AnnotationRow, terms: SearchTerms): boolean {
  if (terms.length === 0) return true
  const folded = content === null ? '' : foldText(content)
  return terms.every((term) => folded.includes(term))
}
