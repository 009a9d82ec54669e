import * as z from 'zod'
import { describeIssues, suggestFields } from '../../utils/schema-issues.ts'
import { inspectValue, suggestWord, UsageError } from '../../utils/usage-error.ts'
import { idSchema, uuidSchema } from '../../world/schema/field-schemas.ts'
import { rowSchemas } from '../../world/schema/world-schema.ts'
import { requestPatternFields } from '../request-pattern.ts'
import type { ActorInfo, ActorRequest, ActorStep, ActorTrigger } from './actor-request.ts'

export const triggerSchema: z.ZodType<ActorTrigger> = z.strictObject({
  ...requestPatternFields,
  requests: z.int().min(1).optional(),
  every: z.boolean().optional(),
}) as unknown as z.ZodType<ActorTrigger>

/** The fields that a step writes, and the position that it can refer to, by list. */
const lists = {
  annotations: {
    row: partialRow(rowSchemas.annotations, ['id', 'created_at', 'updated_at']),
    position: z.strictObject({ at: z.int(), project: idSchema.exactOptional() }),
  },
  plugins: {
    row: partialRow(rowSchemas.plugins, ['id', 'revision']),
    position: z.strictObject({ at: z.int(), organization: uuidSchema.exactOptional() }),
  },
}

type StepSchema = (isPosition: boolean) => z.ZodType<ActorStep>

/** The schemas of steps by action and list. The parameter says whether the row is referenced by its position. */
export const stepSchemas: Readonly<Record<string, Readonly<Record<string, StepSchema>>>> = {
  create: schemasByList('create', ({ row }) => ({ row })),
  update: schemasByList('update', ({ row }, id) => ({ id, changes: row })),
  delete: schemasByList('delete', (_list, id) => ({ id })),
}

function schemasByList(
  action: string,
  fields: (list: { readonly row: z.ZodType }, id: z.ZodType) => Record<string, z.ZodType>,
): Record<string, StepSchema> {
  const schemas = Object.entries(lists).map(([name, list]): [string, StepSchema] => [
    name,
    (isPosition) =>
      z.strictObject({
        [action]: z.literal(name),
        ...fields(list, isPosition ? list.position : idSchema),
      }) as unknown as z.ZodType<ActorStep>,
  ])
  return Object.fromEntries(schemas)
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

/**
 * Copies a requested actor.
 *
 * @throws UsageError with every issue and its path, such as `steps[0].row.content`
 */
export function parseActor(request: unknown): ActorRequest {
  const { after, steps, ...rest } = (request ?? {}) as Record<string, unknown>
  const issues = [
    ...schemaIssues(triggerSchema, after, 'after'),
    ...stepListIssues(steps),
    ...Object.keys(rest).map((name) => `${name}: unknown field`),
  ]
  if (issues.length > 0) throw new UsageError('Failed to add an actor. Nothing was added.', issues)
  return structuredClone({ after, steps }) as ActorRequest
}

function stepListIssues(steps: unknown): string[] {
  if (!Array.isArray(steps)) return [`steps: expected a list of steps, got ${inspectValue(steps)}`]
  if (steps.length === 0) return ['steps: expected at least one step, got []']
  return steps.flatMap((step, index) => stepIssues(step, `steps[${index}]`))
}

function stepIssues(step: unknown, path: string): string[] {
  const fields = Object(step) as Record<string, unknown>
  const actions = Object.keys(stepSchemas)
  const action = actions.find((name) => Object.hasOwn(fields, name))
  if (action === undefined) {
    return [`${path}: expected one of ${actions.join(', ')}, got ${inspectValue(step)}`]
  }
  const schemas = stepSchemas[action] ?? {}
  const list = String(fields[action])
  if (!Object.hasOwn(schemas, list)) {
    const names = Object.keys(schemas)
    const hint = suggestWord(list, names)
    const actual = `${inspectValue(fields[action])}${hint && `.${hint}`}`
    return [`${path}.${action}: expected one of ${names.join(', ')}, got ${actual}`]
  }
  const isPosition = typeof fields.id === 'object' && fields.id !== null
  return schemaIssues((schemas[list] as StepSchema)(isPosition), step, path)
}

function schemaIssues(schema: z.ZodType, value: unknown, path: string): string[] {
  const { error } = schema.safeParse(value, suggestFields)
  // An issue of the whole value starts with a colon.
  return error
    ? describeIssues(error, value, '').map(
        (issue) => `${path}${/^:/.test(issue) ? '' : '.'}${issue}`,
      )
    : []
}
