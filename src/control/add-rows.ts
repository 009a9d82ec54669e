import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { addedIds, newRows } from '../rows/schema.ts'
import { bodyOf } from './body.ts'
import type { World } from './world.ts'

/** All or none: a row with a fault leaves the world as it was. */
export const addRows: Endpoint<World> = endpoint({
  id: 'addRows',
  summary:
    'Add rows to the world, list by list; what they leave out gets a default. Answers their ids.',

  method: 'PATCH',
  path: '/__admin/world',
  scope: 'operator',

  params: {},
  body: bodyOf(newRows),
  bodyLimit: 536_870_912,
  status: 200,
  response: addedIds,
  errors: bodyErrors,

  handle({ body }, { simulator }) {
    return simulator.addRows(body)
  },
})
