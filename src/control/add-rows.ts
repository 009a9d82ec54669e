import { bodyFailures } from '../http/body.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { addedIdsSchema, newRowsSchema } from '../rows/schema.ts'
import { jsonBody } from './body.ts'
import type { ControlContext } from './world.ts'

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
