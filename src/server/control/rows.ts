import * as z from 'zod'
import { bodyFailures } from '../../http/body.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import type { Failure } from '../../http/failures.ts'
import { type Parameter, pathParameter } from '../../http/parameters.ts'
import type { AccessibleRows } from '../../world/defaults.ts'
import type { AnnotationQuery, RowQuery } from '../../world/edit/find-rows.ts'
import type { Timeline } from '../../world/edit/timeline.ts'
import { countedListNames } from '../../world/table/lists.ts'
import {
  type ControlContext,
  jsonBody,
  parseQuery,
  resourceNotFound,
  textParameter,
} from './control-endpoint.ts'

/** The lists whose rows can be looked at and changed one by one. */
const listNames: readonly string[] = ['organizations', ...countedListNames]

/** A list whose rows are numbered, or organizations. */
const listParameter: Parameter<keyof AccessibleRows> = {
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
const rowIdParameter: Parameter<string> = pathParameter('The id of a row.')

/** The id as the list has it: a number, but of organizations. What is none names no row. */
function parseRowId(list: keyof AccessibleRows, text: string): never {
  return (list === 'organizations' ? text : /^\d+$/.test(text) ? Number(text) : Number.NaN) as never
}

function rowNotFound(list: string, id: string): Failure {
  return resourceNotFound('id', `Row ${id} of ${list}`, 'it never was, or was removed')
}

/** Which annotations are meant, as parameters of a query. */
const annotationParameters: Readonly<Record<keyof AnnotationQuery, Parameter<string | null>>> = {
  search: textParameter('Words that stand in the row.'),
  project: textParameter('Of annotations: the id of their project.'),
  scope: textParameter('Of annotations: their scope.'),
  deleted: textParameter('Of annotations: true for deleted ones only, false for the others.'),
  since: textParameter('Of annotations: ISO 8601, a date_marker from this time on.'),
  until: textParameter('Of annotations: ISO 8601, a date_marker before this time.'),
}

/** The same, and which part of them. */
const rowParameters: Readonly<Record<keyof RowQuery, Parameter<string | null>>> = {
  ...annotationParameters,
  offset: textParameter('How many rows are left out before the first.'),
  limit: textParameter('How many rows at most, up to 1,000; 50 when missing.'),
}

/** The query in an address, unchecked: a name that is none is for the world to refuse. */
function parseRowQuery(url: string): RowQuery {
  return parseQuery(url, {
    project: 'number',
    offset: 'number',
    limit: 'number',
    deleted: 'boolean',
  })
}

/** A row in the world format, whichever it is. */
const rowSchema: z.ZodType<object> = z.record(z.string(), z.unknown())

export const listRows: Endpoint<ControlContext> = defineEndpoint({
  id: 'listRows',
  summary: 'List some rows of a list, deleted annotations included, and tell how many there are.',

  method: 'GET',
  path: '/__admin/world/:list',
  scope: 'operator',

  params: { list: listParameter },
  query: rowParameters,
  status: 200,
  response: z.object({ count: z.int(), rows: z.array(rowSchema) }),
  errors: ['validation_error', 'not_found'],

  handle({ params, url }, { simulator }) {
    const { count, rows } = simulator.world.find(params.list, parseRowQuery(url))
    return { count, rows: [...rows] }
  },
})

export const retrieveRow: Endpoint<ControlContext> = defineEndpoint({
  id: 'retrieveRow',
  summary: 'Show one row in the format of fixtures.',

  method: 'GET',
  path: '/__admin/world/:list/:id',
  scope: 'operator',

  params: { list: listParameter, id: rowIdParameter },
  status: 200,
  response: rowSchema,
  errors: ['not_found'],

  handle({ params: { list, id } }, { simulator }) {
    const row = simulator.world[list].get(parseRowId(list, id))
    if (!row) throw rowNotFound(list, id)
    return row
  },
})

/** No request, no key, no policy: as `simulator.world` does. A row with a fault stays as it was. */
export const updateRow: Endpoint<ControlContext> = defineEndpoint({
  id: 'updateRow',
  summary: 'Change some fields of a row, or delete and restore an annotation by its field deleted.',

  method: 'PATCH',
  path: '/__admin/world/:list/:id',
  scope: 'operator',

  params: { list: listParameter, id: rowIdParameter },
  body: jsonBody(z.record(z.string(), z.unknown())),
  status: 200,
  response: rowSchema,
  errors: [...bodyFailures, 'not_found'],

  handle({ params: { list, id }, body }, { simulator }) {
    const rows = simulator.world[list]
    if (!rows.get(parseRowId(list, id))) throw rowNotFound(list, id)
    return rows.update(parseRowId(list, id), body)
  },
})

export const deleteRow: Endpoint<ControlContext> = defineEndpoint({
  id: 'deleteRow',
  summary: 'Take a row out for good; one that other rows name stays.',

  method: 'DELETE',
  path: '/__admin/world/:list/:id',
  scope: 'operator',

  params: { list: listParameter, id: rowIdParameter },
  status: 204,
  response: z.undefined(),
  errors: ['validation_error', 'not_found'],

  handle({ params: { list, id } }, { simulator }): undefined {
    if (!simulator.world[list].delete(parseRowId(list, id))) throw rowNotFound(list, id)
  },
})

const timelineSchema: z.ZodType<Timeline> = z.object({
  unit: z.enum(['hour', 'day', 'week', 'month', 'year']),
  steps: z.array(z.object({ at: z.string(), counts: z.record(z.string(), z.int()) })),
  undated: z.int(),
})

export const readTimeline: Endpoint<ControlContext> = defineEndpoint({
  id: 'readTimeline',
  summary:
    'Count annotations by their date_marker and scope, in steps that suit the time they span.',

  method: 'GET',
  path: '/__admin/timeline',
  scope: 'operator',

  params: {},
  query: annotationParameters,
  status: 200,
  response: timelineSchema,
  errors: ['validation_error'],

  handle({ url }, { simulator }) {
    return simulator.world.timeline(parseRowQuery(url))
  },
})
