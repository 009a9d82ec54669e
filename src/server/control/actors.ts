import * as z from 'zod'
import { pathParameter } from '../../http/parameters.ts'
import {
  type ActorInfo,
  type ActorRequest,
  stepSchemas,
  triggerSchema,
} from '../../sandbox/actors/actor-request.ts'
import { suggestWord } from '../../utils/usage-error.ts'
import { type ControlOperations, found, operation } from './control-endpoint.ts'
import { uncheckedBody } from './request-body.ts'

const anyStep = z.union(
  Object.entries(stepSchemas).flatMap(([action, schemas]) => {
    const references = action === 'create' ? [false] : [false, true]
    return Object.values(schemas).flatMap((createSchema) => references.map(createSchema))
  }),
)

/** Describes a requested actor in the OpenAPI document. `parseActor` validates it. */
const actorRequestSchema: z.ZodType<ActorRequest> = z.strictObject({
  after: triggerSchema,
  steps: z.array(anyStep).min(1),
})

const actorInfoSchema: z.ZodType<ActorInfo> = z.object({
  id: z.string(),
  after: triggerSchema as z.ZodType<ActorInfo['after']>,
  steps: z.array(anyStep),
  runs: z.int(),
  remaining: z.int().nullable(),
  errors: z.array(z.object({ run: z.int(), step: z.string(), message: z.string() })),
  warning: z.string().nullable(),
})

export const actorOperations: ControlOperations = {
  listActors: operation('GET', '/__admin/actors', {
    summary: 'List the second actors, with their runs and errors.',
    response: z.array(actorInfoSchema),
    handle: (_, { actors }) => actors.list(),
  }),

  // An actor that can never run is added too, with a warning.
  addActor: operation('POST', '/__admin/actors', {
    summary: 'Add a second actor, which writes after the requests that it names.',
    body: uncheckedBody<ActorRequest>(actorRequestSchema),
    status: 201,
    response: actorInfoSchema,
    errors: ['throttled'],
    handle: ({ body }, { actors }) => actors.add(body),
  }),

  clearActors: operation('DELETE', '/__admin/actors', {
    summary: 'Remove all second actors. The rows that they wrote stay.',
    handle: (_, { actors }) => actors.clear(),
  }),

  removeActor: operation('DELETE', '/__admin/actors/:id', {
    summary: 'Remove a second actor. The rows that it wrote stay.',
    params: { id: pathParameter('The id of a second actor.') },
    errors: ['not_found'],
    handle({ params: { id } }, { actors }) {
      const ids = () => actors.list().map((info) => info.id)
      const reason = 'it was never added, or was removed'
      found(actors.remove(id), 'id', `Actor ${id}`, reason, () => suggestWord(id, ids()))
    },
  }),
}
