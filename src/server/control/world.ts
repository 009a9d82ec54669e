import * as z from 'zod'
import { bodyFailures } from '../../http/body.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { generatedLists, generateRows, type RowCounts } from '../../world/edit/generate-rows.ts'
import { addedIdsSchema, newRowsSchema } from '../../world/edit/row-changes.ts'
import { worldSchema } from '../../world/schema/world-schema.ts'
import { type ControlContext, jsonBody, withGeneratedRows, worldBody } from './control-endpoint.ts'

/** What it gives can be put back, or kept as a fixture. */
export const readWorld: Endpoint<ControlContext> = defineEndpoint({
  id: 'readWorld',
  summary: 'Read the whole world, in the format of fixtures.',

  method: 'GET',
  path: '/__admin/world',
  scope: 'operator',

  params: {},
  status: 200,
  response: worldSchema,
  errors: [],

  handle(_input, { simulator }) {
    return simulator.world.toJSON()
  },
})

/** Whole or not at all: a world with a fault leaves the one that is there. */
export const replaceWorld: Endpoint<ControlContext> = defineEndpoint({
  id: 'replaceWorld',
  summary: 'Replace the whole world; resetting comes back to the new one.',

  method: 'PUT',
  path: '/__admin/world',
  scope: 'operator',

  params: {},
  body: worldBody,
  bodyLimit: 536_870_912,
  status: 200,
  response: z.record(z.string(), z.int()),
  errors: bodyFailures,

  async handle({ body }, { simulator, loadGenerator }) {
    simulator.replaceWorld(await withGeneratedRows(body, loadGenerator))
    return simulator.world.counts
  },
})

/** All or none: a row with a fault leaves the world as it was. */
export const addRows: Endpoint<ControlContext> = defineEndpoint({
  id: 'addRows',
  summary:
    'Add rows to the world, list by list; what they leave out gets a default. Answers their ids.',

  method: 'PATCH',
  path: '/__admin/world',
  scope: 'operator',

  params: {},
  body: jsonBody(newRowsSchema),
  bodyLimit: 536_870_912,
  status: 200,
  response: addedIdsSchema,
  errors: bodyFailures,

  handle({ body }, { simulator }) {
    return simulator.addRows(body)
  },
})

const rowCount = z.int().min(0).max(100_000).exactOptional()
const rowCountsSchema = z.strictObject(
  Object.fromEntries(generatedLists.map((list) => [list, rowCount])),
)

export const addGenerated: Endpoint<ControlContext> = defineEndpoint({
  id: 'addGenerated',
  summary: 'Add so many rows to some lists, made by the factories. Answers their ids.',

  method: 'POST',
  path: '/__admin/generate',
  scope: 'operator',

  params: {},
  body: jsonBody(rowCountsSchema as unknown as z.ZodType<RowCounts>),
  status: 200,
  response: addedIdsSchema,
  errors: bodyFailures,

  async handle({ body }, { simulator, loadGenerator }) {
    return generateRows(simulator, body, await loadGenerator())
  },
})

export const resetWorld: Endpoint<ControlContext> = defineEndpoint({
  id: 'resetWorld',
  summary: 'Go back to the rows the simulator began with.',

  method: 'POST',
  path: '/__admin/reset',
  scope: 'operator',

  params: {},
  status: 204,
  response: z.undefined(),
  errors: [],

  handle(_input, { simulator }): undefined {
    simulator.reset()
  },
})
