import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { listParameter, parseRowQuery, rowParameters, rowSchema } from './row-parameters.ts'
import type { ControlContext } from './world.ts'

export const listRows: Endpoint<ControlContext> = defineEndpoint({
  id: 'listRows',
  summary: 'List some rows of a list, deleted annotations included, and tell how many there are.',

  method: 'GET',
  path: '/__admin/world/:list',
  scope: 'operator',

  params: { list: listParameter },
  query: rowParameters,
  status: 200,
  response: z.object({ count: z.int(), rows: z.array(rowSchema) }),
  errors: ['validation_error', 'not_found'],

  handle({ params, url }, { simulator }) {
    const { count, rows } = simulator.world.find(params.list, parseRowQuery(url))
    return { count, rows: [...rows] }
  },
})
