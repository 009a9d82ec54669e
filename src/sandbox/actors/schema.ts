import * as z from 'zod'
import { idSchema, uuidSchema } from '../../world/schema/field-schemas.ts'
import { annotationSchema, pluginSchema } from '../../world/schema/row-schemas.ts'
import type { ActorInfo, ActorRequest, ActorStep, ActorTrigger } from './actor-request.ts'

const method = z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export const triggerSchema: z.ZodType<ActorTrigger> = z.strictObject({
  operation: z.string().exactOptional(),
  method: z
    .union([method, z.array(method).min(1)], { error: `expected ${method.options.join(', ')}` })
    .exactOptional(),
  path: z
    .string()
    .regex(/^\/[^?#]*$/, { error: 'expected a path that begins with a slash, without a query' })
    .exactOptional(),
  key: z.string().exactOptional(),
  requests: z.int().min(1).exactOptional(),
  every: z.boolean().exactOptional(),
})

const annotationFields = fieldsOf(annotationSchema, ['id', 'created_at', 'updated_at'])
const pluginFields = fieldsOf(pluginSchema, ['id', 'revision'])
const inProject = z.strictObject({ at: z.int(), project: idSchema.exactOptional() })
const inOrganization = z.strictObject({ at: z.int(), organization: uuidSchema.exactOptional() })

type StepSchema = (isAt: boolean) => z.ZodType<ActorStep>

/** The schemas of steps, by what they do to which list, and by whether a row is named by its position. */
export const stepSchemas: Readonly<Record<string, Readonly<Record<string, StepSchema>>>> = {
  create: {
    annotations: () => step({ create: z.literal('annotations'), row: annotationFields }),
    plugins: () => step({ create: z.literal('plugins'), row: pluginFields }),
  },
  update: {
    annotations: (isAt) =>
      step({
        update: z.literal('annotations'),
        id: isAt ? inProject : idSchema,
        changes: annotationFields,
      }),
    plugins: (isAt) =>
      step({
        update: z.literal('plugins'),
        id: isAt ? inOrganization : idSchema,
        changes: pluginFields,
      }),
  },
  delete: {
    annotations: (isAt) =>
      step({ delete: z.literal('annotations'), id: isAt ? inProject : idSchema }),
    plugins: (isAt) => step({ delete: z.literal('plugins'), id: isAt ? inOrganization : idSchema }),
  },
}

function step(shape: Record<string, z.ZodType>): z.ZodType<ActorStep> {
  return z.strictObject(shape) as unknown as z.ZodType<ActorStep>
}

/** Any of the fields of a row but those that the world gives. */
function fieldsOf(row: z.ZodType, given: readonly string[]): z.ZodType {
  const { shape } = row as z.ZodObject
  const fields = Object.entries(shape).filter(([name]) => !given.includes(name))
  return z.strictObject(Object.fromEntries(fields)).partial()
}

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
