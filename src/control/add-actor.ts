import { actorInfo, actorRequest } from '../actors/json.ts'
import type { ActorRequest } from '../actors/request.ts'
import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { anyBody } from './body.ts'
import type { World } from './world.ts'

/** One that may never write is added too, with warnings. */
export const addActor: Endpoint<World> = endpoint({
  id: 'addActor',
  summary: 'Add a second actor, who writes after the requests it names.',

  method: 'POST',
  path: '/__admin/actors',
  scope: 'operator',

  params: {},
  body: { ...anyBody<ActorRequest>(), schema: actorRequest },
  status: 201,
  response: actorInfo,
  errors: bodyErrors,

  handle({ body }, { simulator }) {
    return simulator.actors.add(body)
  },
})
