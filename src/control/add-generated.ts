import * as z from 'zod'
import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { generateRows, grownLists, type RowCounts } from '../rows/generate-rows.ts'
import { addedIds } from '../rows/schema.ts'
import { bodyOf } from './body.ts'
import type { World } from './world.ts'

const count = z.int().min(0).max(100_000).exactOptional()
const counts = z.strictObject(Object.fromEntries(grownLists.map((list) => [list, count])))

export const addGenerated: Endpoint<World> = endpoint({
  id: 'addGenerated',
  summary: 'Add so many rows to some lists, made by the factories. Answers their ids.',

  method: 'POST',
  path: '/__admin/generate',
  scope: 'operator',

  params: {},
  body: bodyOf(counts as unknown as z.ZodType<RowCounts>),
  status: 200,
  response: addedIds,
  errors: bodyErrors,

  async handle({ body }, { simulator, generator }) {
    return generateRows(simulator, body, await generator())
  },
})
