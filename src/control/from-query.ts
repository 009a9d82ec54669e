import { queryString } from '../http/call.ts'
import type { Parameter } from '../http/parameters.ts'

/** What a value of a query is read as; what cannot be read stays a text, for whoever takes it to refuse. */
export type QueryTypes = Readonly<Record<string, 'number' | 'boolean'>>

/** The query in an address, unchecked, names included. */
export function parseQuery(url: string, reads: QueryTypes): object {
  const pairs = [...new URLSearchParams(queryString(url))]
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, parseQueryValue(value, reads[name])]),
  )
}

/** A parameter that is taken as it stands. */
export function textParameter(description: string): Parameter<string | null> {
  return { description, schema: { type: 'string' }, read: (given) => given }
}

function parseQueryValue(value: string, as: QueryTypes[string] | undefined): unknown {
  if (as === 'number' && /^-?\d+$/.test(value)) return Number(value)
  if (as === 'boolean' && /^(true|false)$/.test(value)) return value === 'true'
  return value
}
