import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { pathParameter } from '../http/parameters.ts'
import { resourceNotFound } from './absent.ts'
import type { ControlContext } from './world.ts'

export const removeFault: Endpoint<ControlContext> = defineEndpoint({
  id: 'removeFault',
  summary: 'End a fault rule.',

  method: 'DELETE',
  path: '/__admin/faults/:id',
  scope: 'operator',

  params: { id: pathParameter('The id of a fault rule.') },
  status: 204,
  response: z.undefined(),
  errors: ['not_found'],

  handle({ params }, { simulator }): undefined {
    if (simulator.faults.remove(params.id)) return
    throw resourceNotFound('id', `Fault ${params.id}`, 'it was never added, or was removed')
  },
})
