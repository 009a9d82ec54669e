import { fold } from '../world/fold.ts'
import { deletedOf, ofOrganization, ofProject } from '../world/list-names.ts'
import type { AnnotationRow, ProjectRow } from '../world/rows.ts'
import type { Terms } from './search.ts'

/** The lists whose rows a project sees: its own, and the organization-wide ones of its organization. */
export function visibleLists({ id, organization }: ProjectRow, deletedToo: boolean): string[] {
  const lists = [ofProject(id), ofOrganization(organization)]
  return deletedToo ? [...lists, ...lists.map(deletedOf)] : lists
}

/** Whether a project sees a row, deleted or not. */
export function isSeenFrom(project: ProjectRow, row: AnnotationRow): boolean {
  if (row.project === project.id) return true
  return row.scope === 'organization' && row.organization === project.organization
}

/** Whether every term is found in the content. */
export function holds({ content }: AnnotationRow, terms: Terms): boolean {
  if (terms.length === 0) return true
  const folded = content === null ? '' : fold(content)
  return terms.every((term) => folded.includes(term))
}
