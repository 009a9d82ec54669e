import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { idIn, listName, noRow, rowKey } from './row-parameters.ts'
import type { World } from './world.ts'

export const deleteRow: Endpoint<World> = endpoint({
  id: 'deleteRow',
  summary: 'Take a row out for good; one that other rows name stays.',

  method: 'DELETE',
  path: '/__admin/world/:list/:id',
  scope: 'operator',

  params: { list: listName, id: rowKey },
  status: 204,
  response: z.undefined(),
  errors: ['validation_error', 'not_found'],

  handle({ params: { list, id } }, { simulator }): undefined {
    if (!simulator.world[list].delete(idIn(list, id))) throw noRow(list, id)
  },
})
