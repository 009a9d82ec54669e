import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { pathText } from '../http/parameters.ts'
import { absent } from './absent.ts'
import type { World } from './world.ts'

export const removeActor: Endpoint<World> = endpoint({
  id: 'removeActor',
  summary: 'Take a second actor away; what it wrote stays.',

  method: 'DELETE',
  path: '/__admin/actors/:id',
  scope: 'operator',

  params: { id: pathText('The id of an actor.') },
  status: 204,
  response: z.undefined(),
  errors: ['not_found'],

  handle({ params }, { simulator }): undefined {
    if (simulator.actors.remove(params.id)) return
    throw absent('id', `Actor ${params.id}`, 'it was never added, or was removed')
  },
})
