import { actorInfoSchema, actorRequestSchema } from '../actors/json.ts'
import type { ActorRequest } from '../actors/request.ts'
import { bodyFailures } from '../http/body.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { uncheckedBody } from './body.ts'
import type { ControlContext } from './world.ts'

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
