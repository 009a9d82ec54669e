import * as z from 'zod'
import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { bodyOf } from './body.ts'
import { anyRow, idIn, listName, noRow, rowKey } from './row-parameters.ts'
import type { World } from './world.ts'

/** No request, no key, no policy: as `simulator.world` does. A row with a fault stays as it was. */
export const updateRow: Endpoint<World> = endpoint({
  id: 'updateRow',
  summary: 'Change some fields of a row, or delete and restore an annotation by its field deleted.',

  method: 'PATCH',
  path: '/__admin/world/:list/:id',
  scope: 'operator',

  params: { list: listName, id: rowKey },
  body: bodyOf(z.record(z.string(), z.unknown())),
  status: 200,
  response: anyRow,
  errors: [...bodyErrors, 'not_found'],

  handle({ params: { list, id }, body }, { simulator }) {
    const rows = simulator.world[list]
    if (!rows.get(idIn(list, id))) throw noRow(list, id)
    return rows.update(idIn(list, id), body)
  },
})
