import * as z from 'zod'
import { bodyFailures } from '../http/body.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { jsonBody } from './body.ts'
import {
  listParameter,
  parseRowId,
  rowIdParameter,
  rowNotFound,
  rowSchema,
} from './row-parameters.ts'
import type { ControlContext } from './world.ts'

/** No request, no key, no policy: as `simulator.world` does. A row with a fault stays as it was. */
export const updateRow: Endpoint<ControlContext> = defineEndpoint({
  id: 'updateRow',
  summary: 'Change some fields of a row, or delete and restore an annotation by its field deleted.',

  method: 'PATCH',
  path: '/__admin/world/:list/:id',
  scope: 'operator',

  params: { list: listParameter, id: rowIdParameter },
  body: jsonBody(z.record(z.string(), z.unknown())),
  status: 200,
  response: rowSchema,
  errors: [...bodyFailures, 'not_found'],

  handle({ params: { list, id }, body }, { simulator }) {
    const rows = simulator.world[list]
    if (!rows.get(parseRowId(list, id))) throw rowNotFound(list, id)
    return rows.update(parseRowId(list, id), body)
  },
})
