import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { anyRow, idIn, listName, noRow, rowKey } from './row-parameters.ts'
import type { World } from './world.ts'

export const retrieveRow: Endpoint<World> = endpoint({
  id: 'retrieveRow',
  summary: 'Show one row in the format of fixtures.',

  method: 'GET',
  path: '/__admin/world/:list/:id',
  scope: 'operator',

  params: { list: listName, id: rowKey },
  status: 200,
  response: anyRow,
  errors: ['not_found'],

  handle({ params: { list, id } }, { simulator }) {
    const row = simulator.world[list].get(idIn(list, id))
    if (!row) throw noRow(list, id)
    return row
  },
})
