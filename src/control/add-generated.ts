import * as z from 'zod'
import { bodyFailures } from '../http/body.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { generatedLists, generateRows, type RowCounts } from '../rows/generate-rows.ts'
import { addedIdsSchema } from '../rows/schema.ts'
import { jsonBody } from './body.ts'
import type { ControlContext } from './world.ts'

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
