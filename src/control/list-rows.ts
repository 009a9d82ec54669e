import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { anyRow, listName, rowParameters, rowQueryIn } from './row-parameters.ts'
import type { World } from './world.ts'

export const listRows: Endpoint<World> = endpoint({
  id: 'listRows',
  summary: 'List some rows of a list, deleted annotations included, and tell how many there are.',

  method: 'GET',
  path: '/__admin/world/:list',
  scope: 'operator',

  params: { list: listName },
  query: rowParameters,
  status: 200,
  response: z.object({ count: z.int(), rows: z.array(anyRow) }),
  errors: ['validation_error', 'not_found'],

  handle({ params, url }, { simulator }) {
    const { count, rows } = simulator.world.find(params.list, rowQueryIn(url))
    return { count, rows: [...rows] }
  },
})
