import * as z from 'zod'
import { idSchema, uuidSchema } from '../../world/schema/field-schemas.ts'
import { rowSchemas } from '../../world/schema/world-schema.ts'
import { requestPatternFields } from '../request-pattern.ts'
import type { ActorInfo, ActorRequest, ActorStep, ActorTrigger } from './actor-request.ts'

export const triggerSchema: z.ZodType<ActorTrigger> = z.strictObject({
  ...requestPatternFields,
  requests: z.int().min(1).optional(),
  every: z.boolean().optional(),
}) as unknown as z.ZodType<ActorTrigger>

const annotationFields = partialRow(rowSchemas.annotations, ['id', 'created_at', 'updated_at'])
const pluginFields = partialRow(rowSchemas.plugins, ['id', 'revision'])
const positionInProject = z.strictObject({ at: z.int(), project: idSchema.exactOptional() })
const positionInOrganization = z.strictObject({
  at: z.int(),
  organization: uuidSchema.exactOptional(),
})

type StepSchema = (isPosition: boolean) => z.ZodType<ActorStep>

/** The schemas of steps by action and list. The parameter says whether the row is referenced by its position. */
export const stepSchemas: Readonly<Record<string, Readonly<Record<string, StepSchema>>>> = {
  create: {
    annotations: () => stepSchema({ create: z.literal('annotations'), row: annotationFields }),
    plugins: () => stepSchema({ create: z.literal('plugins'), row: pluginFields }),
  },
  update: {
    annotations: (isPosition) =>
      stepSchema({
        update: z.literal('annotations'),
        id: isPosition ? positionInProject : idSchema,
        changes: annotationFields,
      }),
    plugins: (isPosition) =>
      stepSchema({
        update: z.literal('plugins'),
        id: isPosition ? positionInOrganization : idSchema,
        changes: pluginFields,
      }),
  },
  delete: {
    annotations: (isPosition) =>
      stepSchema({
        delete: z.literal('annotations'),
        id: isPosition ? positionInProject : idSchema,
      }),
    plugins: (isPosition) =>
      stepSchema({
        delete: z.literal('plugins'),
        id: isPosition ? positionInOrganization : idSchema,
      }),
  },
}

function stepSchema(shape: Record<string, z.ZodType>): z.ZodType<ActorStep> {
  return z.strictObject(shape) as unknown as z.ZodType<ActorStep>
}

/** Makes all fields of a row optional, and leaves out those that the world sets. */
function partialRow(row: z.ZodType, worldFields: readonly string[]): z.ZodType {
  const { shape } = row as z.ZodObject
  const fields = Object.entries(shape).filter(([name]) => !worldFields.includes(name))
  return z.strictObject(Object.fromEntries(fields)).partial()
}

const anyStep = z.union(
  Object.entries(stepSchemas).flatMap(([action, schemas]) => {
    const references = action === 'create' ? [false] : [false, true]
    return Object.values(schemas).flatMap((createSchema) => references.map(createSchema))
  }),
)

/** Describes a requested actor in the OpenAPI document. `parseActor` validates it. */
export const actorRequestSchema: z.ZodType<ActorRequest> = z.strictObject({
  after: triggerSchema,
  steps: z.array(anyStep).min(1),
})

/** Describes an actor in the OpenAPI document. */
export const actorInfoSchema: z.ZodType<ActorInfo> = z.object({
  id: z.string(),
  after: triggerSchema as z.ZodType<ActorInfo['after']>,
  steps: z.array(anyStep),
  runs: z.int(),
  remaining: z.int().nullable(),
  errors: z.array(z.object({ run: z.int(), step: z.string(), message: z.string() })),
  warning: z.string().nullable(),
})
