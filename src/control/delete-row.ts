import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { listParameter, parseRowId, rowIdParameter, rowNotFound } from './row-parameters.ts'
import type { ControlContext } from './world.ts'

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
