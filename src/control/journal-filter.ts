import { queryOf } from '../http/call.ts'
import type { Parameter } from '../http/parameters.ts'
import type { JournalFilter } from '../journal/filter.ts'

/** The parameters of a query that is a filter of the journal. */
export const filterParameters: Readonly<Record<keyof JournalFilter, Parameter<string | null>>> = {
  operation: text('The id of an operation.'),
  key: text('The label or the value of a key.'),
  status: text('A status such as 404, or a hundred of them such as 4xx.'),
  since: text('ISO 8601: entries from this time on.'),
  until: text('ISO 8601: entries up to this time.'),
  unmatched: text('true for requests that nothing describes, false for the others.'),
  limit: text('The latest ones, so many at most.'),
}

/** The filter in an address, unchecked: a name that is none is for the journal to refuse. */
export function filterIn(url: string): JournalFilter {
  const pairs = [...new URLSearchParams(queryOf(url))]
  return Object.fromEntries(pairs.map(([name, value]) => [name, read(name, value)]))
}

function read(name: string, value: string): unknown {
  if (name === 'limit' && /^\d+$/.test(value)) return Number(value)
  if (name === 'unmatched' && /^(true|false)$/.test(value)) return value === 'true'
  return value
}

function text(description: string): Parameter<string | null> {
  return { description, schema: { type: 'string' }, read: (given) => given }
}
