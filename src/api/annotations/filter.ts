import { ignoredParameter, type Parameter } from '../../http/parameters.ts'
import { byPolicy, type Resolvable } from '../../policies/by-policy.ts'
import { splitWords } from '../../utils/python/text.ts'
import type { AnnotationRow, ProjectRow } from '../../world/rows.ts'
import { deletedIndex, organizationIndex, projectIndex } from '../../world/table/tables.ts'
import { foldText } from '../../world/table/text-search.ts'

/** Folded search terms. An annotation matches if its content contains all of them. */
export type SearchTerms = readonly string[]

/**
 * The search parameter. Seen in the live service: commas and white space separate terms, NUL characters are ignored,
 * and quotes have no special meaning.
 */
export const search: Parameter<SearchTerms> = {
  description: 'Words that the content must contain, in any order.',
  schema: { type: 'string' },
  read: (text) =>
    text === null
      ? []
      : withoutRedundantTerms(splitWords(foldText(text.replaceAll('\0', '').replaceAll(',', ' ')))),
}

/** Removes terms that other terms contain: a content that contains `release` also contains `e`. */
function withoutRedundantTerms(terms: SearchTerms): SearchTerms {
  if (terms.length < 2) return terms
  const longestFirst = [...new Set(terms)].sort((a, b) => b.length - a.length)
  let longer = ''
  return longestFirst.filter((term) => {
    if (longer.includes(term)) return false
    longer += ` ${term}`
    return true
  })
}

/** By policy, the search parameter also filters operations on a single annotation. */
export const searchOnLookup: { readonly search: Resolvable<Parameter<SearchTerms>> } = {
  search: byPolicy('annotations.search.reach', {
    list: ignoredParameter<SearchTerms>([]),
    every_lookup: search,
  }),
}

/** The names of the lists that a project sees: its own, and the organization-wide one. */
export function visibleLists({ id, organization }: ProjectRow, includesDeleted: boolean): string[] {
  const lists = [projectIndex(id), organizationIndex(organization)]
  return includesDeleted ? [...lists, ...lists.map(deletedIndex)] : lists
}

/** Whether a project sees an annotation, deleted or not. */
export function isVisibleTo(project: ProjectRow, row: AnnotationRow): boolean {
  if (row.project === project.id) return true
  return row.scope === 'organization' && row.organization === project.organization
}

/** Whether the content contains every term. */
export function matchesTerms({ content }: AnnotationRow, terms: SearchTerms): boolean {
  if (terms.length === 0) return true
  const folded = content === null ? '' : foldText(content)
  return terms.every((term) => folded.includes(term))
}
