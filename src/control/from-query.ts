import { queryOf } from '../http/call.ts'
import type { Parameter } from '../http/parameters.ts'

/** What a value of a query is read as; what cannot be read stays a text, for whoever takes it to refuse. */
export type Reads = Readonly<Record<string, 'number' | 'boolean'>>

/** The query in an address, unchecked, names included. */
export function fromQuery(url: string, reads: Reads): object {
  const pairs = [...new URLSearchParams(queryOf(url))]
  return Object.fromEntries(pairs.map(([name, value]) => [name, read(value, reads[name])]))
}

/** A parameter that is taken as it stands. */
export function textParameter(description: string): Parameter<string | null> {
  return { description, schema: { type: 'string' }, read: (given) => given }
}

function read(value: string, as: Reads[string] | undefined): unknown {
  if (as === 'number' && /^-?\d+$/.test(value)) return Number(value)
  if (as === 'boolean' && /^(true|false)$/.test(value)) return value === 'true'
  return value
}
