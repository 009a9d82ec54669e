import * as z from 'zod'
import { type Parameter, pathParameter } from '../../http/parameters.ts'
import { type ResetOptions, resetParts } from '../../sandbox/simulator-base.ts'
import { maxTextLength } from '../../utils/json.ts'
import { typed } from '../../utils/schema-issues.ts'
import type { AccessibleRows } from '../../world/defaults.ts'
import { addedIdsSchema, type NewRows } from '../../world/edit/add-rows.ts'
import { rowEditSchemas } from '../../world/edit/edit-rows.ts'
import type { AnnotationQuery, RowQuery } from '../../world/edit/find-rows.ts'
import { generatedLists, generateRows, type RowCounts } from '../../world/edit/generate-rows.ts'
import { rowsOf } from '../../world/edit/world-access.ts'
import { generatedCountsSchema, worldSchema } from '../../world/schema/world-schema.ts'
import { countedListNames, type RowId } from '../../world/tables.ts'
import {
  anyObject,
  found,
  jsonBody,
  operation,
  parseQuery,
  textParameter,
  uncheckedBody,
} from './operation.ts'
import { loadWorldBody, worldBody, writeWorld } from './world-body.ts'

const rowCountsSchema = typed<RowCounts>(generatedCountsSchema(generatedLists))

const listNames: readonly string[] = ['organizations', ...countedListNames]

const listParameter: Parameter<keyof AccessibleRows> = {
  description: `One of ${listNames.join(', ')}.`,
  schema: { type: 'string', enum: listNames },
  read(text) {
    const list = listNames.find((name) => name === text) as keyof AccessibleRows | undefined
    const reason = `expected one of ${listNames.join(', ')}`
    return found(list, { list: text }, `List ${text}`, reason, () => listNames)
  },
}

const rowParameters = { list: listParameter, id: pathParameter('The id of a row.') }

const annotationParameters: Readonly<Record<keyof AnnotationQuery, Parameter<string | null>>> = {
  search: textParameter('Words that the row contains.'),
  project: textParameter('For annotations: the id of their project.'),
  scope: textParameter('For annotations: their scope.'),
  deleted: textParameter('For annotations: true for deleted ones only, false for the others.'),
  since: textParameter('For annotations: ISO 8601, a date_marker from this time on.'),
  until: textParameter('For annotations: ISO 8601, a date_marker before this time.'),
}

const listQuery: Readonly<Record<keyof RowQuery, Parameter<string | null>>> = {
  ...annotationParameters,
  offset: textParameter('The number of rows to skip.'),
  limit: textParameter('The largest number of rows, up to 1,000. The default is 50.'),
  sort: textParameter('A field to sort by, such as id. After a minus sign: in descending order.'),
}

export const worldOperations = {
  readWorld: operation('GET', '/__admin/world', {
    summary: 'Read the whole world, in the format of fixtures.',
    response: worldSchema(),
    handle: (_, simulator) => writeWorld(simulator.sandbox.loaded),
  }),

  // An invalid world changes nothing.
  replaceWorld: operation('PUT', '/__admin/world', {
    summary:
      'Replace the whole world, by a world or the name of a fixture. A reset returns to the new one.',
    body: worldBody,
    bodyLimit: maxTextLength,
    response: z.record(z.string(), z.int()),
    async handle({ body }, simulator) {
      simulator.sandbox.replace(await loadWorldBody(body, simulator))
      return simulator.world.counts
    },
  }),

  // An invalid row adds nothing.
  addRows: operation('PATCH', '/__admin/world', {
    summary: 'Add rows to lists of the world. Missing fields get defaults. Returns the ids.',
    body: uncheckedBody<NewRows>(rowEditSchemas().rows),
    bodyLimit: maxTextLength,
    response: addedIdsSchema,
    handle: ({ body = {} }, simulator) => simulator.addRows(body),
  }),

  addGenerated: operation('POST', '/__admin/generate', {
    summary: 'Add generated rows, by the number for each list. Returns the ids.',
    body: jsonBody(rowCountsSchema),
    response: addedIdsSchema,
    async handle({ body }, simulator) {
      const { generate } = await import('../../world/factories/generate.ts')
      return generateRows(simulator, body, generate)
    },
  }),

  resetWorld: operation('POST', '/__admin/reset', {
    summary: 'Reset rows, settings, clock and faults, or some of them, to those of the start.',
    body: uncheckedBody<ResetOptions>(
      z.strictObject({ only: z.array(z.enum(resetParts)) }).partial(),
    ),
    handle: ({ body }, simulator) => simulator.reset(body),
  }),

  listRows: operation('GET', '/__admin/world/:list', {
    summary: 'List rows of a list, including deleted annotations, with the total count.',
    params: { list: listParameter },
    query: listQuery,
    response: z.object({ count: z.int(), rows: z.array(anyObject) }),
    errors: ['validation_error', 'not_found'],
    handle({ params: { list }, url }, { world }) {
      const query = parseRowQuery(url)
      const { count, rows } = world.find(list, query)
      return { count, rows: [...rows] }
    },
  }),

  retrieveRow: operation('GET', '/__admin/world/:list/:id', {
    summary: 'Read a row in the format of fixtures.',
    params: rowParameters,
    response: anyObject,
    errors: ['not_found'],
    handle: ({ params: { list, id } }, { world }) =>
      foundRow(rowsOf(world, list).get(parseRowId(list, id)), list, id),
  }),

  updateRow: operation('PATCH', '/__admin/world/:list/:id', {
    summary: 'Update fields of a row. The field deleted deletes or restores an annotation.',
    params: rowParameters,
    body: jsonBody(z.record(z.string(), z.unknown())),
    response: anyObject,
    errors: ['not_found'],
    handle({ params: { list, id }, body }, { world }) {
      const rows = rowsOf(world, list)
      foundRow(rows.get(parseRowId(list, id)), list, id)
      return rows.update(parseRowId(list, id), body)
    },
  }),

  deleteRow: operation('DELETE', '/__admin/world/:list/:id', {
    summary: 'Remove a row from the world. A row that other rows refer to is refused.',
    params: rowParameters,
    errors: ['validation_error', 'not_found'],
    handle({ params: { list, id } }, { world }) {
      foundRow(rowsOf(world, list).delete(parseRowId(list, id)), list, id)
    },
  }),
}

function parseRowQuery(url: string): RowQuery {
  return parseQuery(url, {
    project: 'number',
    offset: 'number',
    limit: 'number',
    deleted: 'boolean',
  })
}

/** Only organizations have ids that are strings. Anything else becomes NaN, which is the id of no row. */
function parseRowId(list: keyof AccessibleRows, text: string): RowId {
  return list === 'organizations' ? text : /^\d+$/.test(text) ? Number(text) : Number.NaN
}

function foundRow<T>(row: T | undefined | false, list: string, id: string): T {
  return found(row, { id }, `Row ${id} of ${list}`, 'it never existed, or was removed')
}
