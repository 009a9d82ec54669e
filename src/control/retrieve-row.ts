import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import {
  listParameter,
  parseRowId,
  rowIdParameter,
  rowNotFound,
  rowSchema,
} from './row-parameters.ts'
import type { ControlContext } from './world.ts'

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
