import * as z from 'zod'
import { bodyFailures } from '../../http/body.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { pathParameter } from '../../http/parameters.ts'
import type { ActorRequest } from '../../sandbox/actors/actor-request.ts'
import { actorInfoSchema, actorRequestSchema } from '../../sandbox/actors/schema.ts'
import { type ControlContext, resourceNotFound, uncheckedBody } from './control-endpoint.ts'

export const listActors: Endpoint<ControlContext> = defineEndpoint({
  id: 'listActors',
  summary: 'List the second actors, with what they have written and what went wrong.',

  method: 'GET',
  path: '/__admin/actors',
  scope: 'operator',

  params: {},
  status: 200,
  response: z.array(actorInfoSchema),
  errors: [],

  handle(_input, { simulator }) {
    return simulator.actors.list()
  },
})

/** One that may never write is added too, with warnings. */
export const addActor: Endpoint<ControlContext> = defineEndpoint({
  id: 'addActor',
  summary: 'Add a second actor, who writes after the requests it names.',

  method: 'POST',
  path: '/__admin/actors',
  scope: 'operator',

  params: {},
  body: { ...uncheckedBody<ActorRequest>(), schema: actorRequestSchema },
  status: 201,
  response: actorInfoSchema,
  errors: bodyFailures,

  handle({ body }, { simulator }) {
    return simulator.actors.add(body)
  },
})

export const clearActors: Endpoint<ControlContext> = defineEndpoint({
  id: 'clearActors',
  summary: 'Take all second actors away; what they wrote stays.',

  method: 'DELETE',
  path: '/__admin/actors',
  scope: 'operator',

  params: {},
  status: 204,
  response: z.undefined(),
  errors: [],

  handle(_input, { simulator }): undefined {
    simulator.actors.clear()
  },
})

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
