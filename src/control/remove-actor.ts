import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { pathParameter } from '../http/parameters.ts'
import { resourceNotFound } from './absent.ts'
import type { ControlContext } from './world.ts'

export const removeActor: Endpoint<ControlContext> = defineEndpoint({
  id: 'removeActor',
  summary: 'Take a second actor away; what it wrote stays.',

  method: 'DELETE',
  path: '/__admin/actors/:id',
  scope: 'operator',

  params: { id: pathParameter('The id of an actor.') },
  status: 204,
  response: z.undefined(),
  errors: ['not_found'],

  handle({ params }, { simulator }): undefined {
    if (simulator.actors.remove(params.id)) return
    throw resourceNotFound('id', `Actor ${params.id}`, 'it was never added, or was removed')
  },
})
