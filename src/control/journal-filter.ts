import type { Parameter } from '../http/parameters.ts'
import type { JournalFilter } from '../journal/filter.ts'
import { parseQuery, textParameter } from './from-query.ts'

/** The parameters of a query that is a filter of the journal. */
export const journalFilterParameters: Readonly<
  Record<keyof JournalFilter, Parameter<string | null>>
> = {
  operation: textParameter('The id of an operation.'),
  key: textParameter('The label or the value of a key.'),
  status: textParameter('A status such as 404, or a hundred of them such as 4xx.'),
  since: textParameter('ISO 8601: entries from this time on.'),
  until: textParameter('ISO 8601: entries up to this time.'),
  unmatched: textParameter('true for requests that nothing describes, false for the others.'),
  limit: textParameter('The latest ones, so many at most.'),
}

/** The filter in an address, unchecked: a name that is none is for the journal to refuse. */
export function parseJournalFilter(url: string): JournalFilter {
  return parseQuery(url, { limit: 'number', unmatched: 'boolean' })
}
