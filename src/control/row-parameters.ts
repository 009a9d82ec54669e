import * as z from 'zod'
import { Failure } from '../errors.ts'
import { queryOf } from '../http/call.ts'
import { type Parameter, pathText } from '../http/parameters.ts'
import type { AccessibleRows } from '../world/row-defaults.ts'
import type { AnnotationQuery, RowQuery } from '../world/row-query.ts'
import { countedNames } from '../world/world-lists.ts'

/** The lists whose rows can be looked at and changed one by one. */
const lists: readonly string[] = ['organizations', ...countedNames]

/** A list whose rows are numbered, or organizations. */
export const listName: Parameter<keyof AccessibleRows> = {
  description: `One of ${lists.join(', ')}.`,
  schema: { type: 'string', enum: lists },
  read(text) {
    if (text !== null && lists.includes(text)) return text as keyof AccessibleRows
    throw new Failure(
      'not_found',
      `List ${text} not found: it never was. There are ${lists.join(', ')}.`,
    )
  },
}

/** The id of a row as it stands in a path. */
export const rowKey: Parameter<string> = pathText('The id of a row.')

/** The id as the list has it: a number, but of organizations. */
export function idIn(list: keyof AccessibleRows, text: string): never {
  return (list === 'organizations' ? text : Number(text)) as never
}

export function noRow(list: string, id: string): Failure {
  return new Failure('not_found', `Row ${id} of ${list} not found: it never was, or was removed.`)
}

/** Which annotations are meant, as parameters of a query. */
export const annotationParameters: Readonly<
  Record<keyof AnnotationQuery, Parameter<string | null>>
> = {
  search: text('Words that stand in the row.'),
  project: text('Of annotations: the id of their project.'),
  scope: text('Of annotations: their scope.'),
  deleted: text('Of annotations: true for deleted ones only, false for the others.'),
  since: text('Of annotations: ISO 8601, a date_marker from this time on.'),
  until: text('Of annotations: ISO 8601, a date_marker before this time.'),
}

/** The same, and which part of them. */
export const rowParameters: Readonly<Record<keyof RowQuery, Parameter<string | null>>> = {
  ...annotationParameters,
  offset: text('How many rows are left out before the first.'),
  limit: text('How many rows at most, up to 1,000; 50 when missing.'),
}

/** The query in an address, unchecked: a name that is none is for the world to refuse. */
export function rowQueryIn(url: string): RowQuery {
  const pairs = [...new URLSearchParams(queryOf(url))]
  return Object.fromEntries(pairs.map(([name, value]) => [name, read(name, value)]))
}

function read(name: string, value: string): unknown {
  if (/^(project|offset|limit)$/.test(name) && /^\d+$/.test(value)) return Number(value)
  if (name === 'deleted' && /^(true|false)$/.test(value)) return value === 'true'
  return value
}

function text(description: string): Parameter<string | null> {
  return { description, schema: { type: 'string' }, read: (given) => given }
}

/** A row in the world format, whichever it is. */
export const anyRow: z.ZodType<object> = z.record(z.string(), z.unknown())
