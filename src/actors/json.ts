import * as z from 'zod'
import type { ActorInfo, ActorRequest } from './request.ts'
import { stepSchemas, triggerSchema } from './schema.ts'

const anyStep = z.union(
  Object.entries(stepSchemas).flatMap(([action, lists]) => {
    const places = action === 'create' ? [false] : [false, true]
    return Object.values(lists).flatMap((schemaOf) => places.map(schemaOf))
  }),
)

/** A request for an actor, as documents describe it. `readActor` says what is wrong with one. */
export const actorRequestSchema: z.ZodType<ActorRequest> = z.strictObject({
  after: triggerSchema,
  steps: z.array(anyStep).min(1),
})

/** An actor, as it is told of. */
export const actorInfoSchema: z.ZodType<ActorInfo> = z.object({
  id: z.string(),
  after: triggerSchema as z.ZodType<ActorInfo['after']>,
  steps: z.array(anyStep),
  runs: z.int(),
  remaining: z.int().nullable(),
  errors: z.array(z.object({ run: z.int(), step: z.string(), message: z.string() })),
  warning: z.string().nullable(),
})
