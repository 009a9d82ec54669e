import { ignoredParameter, type Parameter } from '../../http/parameters.ts'
import { byPolicy, type Resolvable } from '../../policies/by-policy.ts'
import { splitWords } from '../../utils/python/text.ts'
import type { AnnotationRow, ProjectRow } from '../../world/rows.ts'
import { deletedIndex, organizationIndex, projectIndex } from '../../world/table/tables.ts'
import { foldText } from '../../world/table/text-search.ts'

/** The terms of a search, folded: an annotation matches when its content holds every one. None: no filter. */
export type SearchTerms = readonly string[]

/**
 * A search term (observed §4.1): NUL characters are dropped, commas and white space separate terms, and
 * quotes are ordinary characters.
 */
export const search: Parameter<SearchTerms> = {
  description: 'A search term: content must hold every word of it.',
  schema: { type: 'string' },
  read: (text) =>
    text === null
      ? []
      : withoutRedundant(splitWords(foldText(text.replaceAll('\0', '').replaceAll(',', ' ')))),
}

/** The terms without those that stand in others: whatever holds `release` holds `e` as well. */
function withoutRedundant(terms: SearchTerms): SearchTerms {
  if (terms.length < 2) return terms
  const longestFirst = [...new Set(terms)].sort((a, b) => b.length - a.length)
  let all = ''
  return longestFirst.filter((term) => {
    if (all.includes(term)) return false
    all += ` ${term}`
    return true
  })
}

/** Search where one row is looked up, by the policy `annotations.search.reach`. */
export const searchOnLookup: { readonly search: Resolvable<Parameter<SearchTerms>> } = {
  search: byPolicy('annotations.search.reach', {
    list: ignoredParameter<SearchTerms>([]),
    every_lookup: search,
  }),
}

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
