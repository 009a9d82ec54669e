import * as z from 'zod'
import type { Failure } from '../errors.ts'
import { type Parameter, pathParameter } from '../http/parameters.ts'
import type { AccessibleRows } from '../world/row-defaults.ts'
import type { AnnotationQuery, RowQuery } from '../world/row-query.ts'
import { countedListNames } from '../world/world-lists.ts'
import { resourceNotFound } from './absent.ts'
import { parseQuery, textParameter } from './from-query.ts'

/** The lists whose rows can be looked at and changed one by one. */
const listNames: readonly string[] = ['organizations', ...countedListNames]

/** A list whose rows are numbered, or organizations. */
export const listParameter: Parameter<keyof AccessibleRows> = {
  description: `One of ${listNames.join(', ')}.`,
  schema: { type: 'string', enum: listNames },
  read(text) {
    if (text !== null && listNames.includes(text)) return text as keyof AccessibleRows
    throw resourceNotFound(
      'list',
      `List ${text}`,
      `it never was. There are ${listNames.join(', ')}`,
    )
  },
}

/** The id of a row as it stands in a path. */
export const rowIdParameter: Parameter<string> = pathParameter('The id of a row.')

/** The id as the list has it: a number, but of organizations. What is none names no row. */
export function parseRowId(list: keyof AccessibleRows, text: string): never {
  return (list === 'organizations' ? text : /^\d+$/.test(text) ? Number(text) : Number.NaN) as never
}

export function rowNotFound(list: string, id: string): Failure {
  return resourceNotFound('id', `Row ${id} of ${list}`, 'it never was, or was removed')
}

/** Which annotations are meant, as parameters of a query. */
export const annotationParameters: Readonly<
  Record<keyof AnnotationQuery, Parameter<string | null>>
> = {
  search: textParameter('Words that stand in the row.'),
  project: textParameter('Of annotations: the id of their project.'),
  scope: textParameter('Of annotations: their scope.'),
  deleted: textParameter('Of annotations: true for deleted ones only, false for the others.'),
  since: textParameter('Of annotations: ISO 8601, a date_marker from this time on.'),
  until: textParameter('Of annotations: ISO 8601, a date_marker before this time.'),
}

/** The same, and which part of them. */
export const rowParameters: Readonly<Record<keyof RowQuery, Parameter<string | null>>> = {
  ...annotationParameters,
  offset: textParameter('How many rows are left out before the first.'),
  limit: textParameter('How many rows at most, up to 1,000; 50 when missing.'),
}

/** The query in an address, unchecked: a name that is none is for the world to refuse. */
export function parseRowQuery(url: string): RowQuery {
  return parseQuery(url, {
    project: 'number',
    offset: 'number',
    limit: 'number',
    deleted: 'boolean',
  })
}

/** A row in the world format, whichever it is. */
export const rowSchema: z.ZodType<object> = z.record(z.string(), z.unknown())
