import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { pathText } from '../http/parameters.ts'
import { absent } from './absent.ts'
import type { World } from './world.ts'

export const removeFault: Endpoint<World> = endpoint({
  id: 'removeFault',
  summary: 'End a fault rule.',

  method: 'DELETE',
  path: '/__admin/faults/:id',
  scope: 'operator',

  params: { id: pathText('The id of a fault rule.') },
  status: 204,
  response: z.undefined(),
  errors: ['not_found'],

  handle({ params }, { simulator }): undefined {
    if (simulator.faults.remove(params.id)) return
    throw absent('id', `Fault ${params.id}`, 'it was never added, or was removed')
  },
})
