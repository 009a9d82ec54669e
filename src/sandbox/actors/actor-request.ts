import * as z from 'zod'
import { issuesError, issuesWithin } from '../../utils/issues.ts'
import { once, schemaIssues, typed } from '../../utils/schema-issues.ts'
import { type Issue, inspectValue, type Path, suggestWord } from '../../utils/usage-error.ts'
import { idSchema, uuidSchema } from '../../world/schema/field-schemas.ts'
import { rowSchemas } from '../../world/schema/world-schema.ts'
import type { AnnotationJson, PluginJson } from '../../world/world-json.ts'
import { type RequestPattern, requestPatternFields } from '../request-pattern.ts'

/** A second actor: what it writes, and after which requests. */
export interface ActorRequest {
  readonly after: ActorTrigger
  /** Run one after the other, without a request in between. */
  readonly steps: readonly ActorStep[]
}

/** The requests that trigger a second actor, whatever their responses. A request must match all fields that are set. */
export interface ActorTrigger extends RequestPattern {
  /** Writes after this many matching requests. Defaults to 1. */
  readonly requests?: number
  /** Whether to write again after each further `requests` requests. By default it writes once. */
  readonly every?: boolean
}

/** A write to a row. The world sets the ids of new rows and the times. */
export type ActorStep =
  | { readonly create: 'annotations'; readonly row: AnnotationWrite }
  | {
      readonly update: 'annotations'
      readonly id: AnnotationReference
      readonly changes: AnnotationWrite
    }
  /** Sets the field `deleted`. The service has no other way to delete an annotation. */
  | { readonly delete: 'annotations'; readonly id: AnnotationReference }
  | { readonly create: 'plugins'; readonly row: PluginWrite }
  | { readonly update: 'plugins'; readonly id: PluginReference; readonly changes: PluginWrite }
  /** Removes the plugin and its configurations. */
  | { readonly delete: 'plugins'; readonly id: PluginReference }

/** Fields of an annotation in the world format. */
export type AnnotationWrite = Partial<Omit<AnnotationJson, 'id' | 'created_at' | 'updated_at'>>

/** Fields of a plugin in the world format. */
export type PluginWrite = Partial<Omit<PluginJson, 'id' | 'revision'>>

/**
 * An id, or a position in the list that a project shows when the step runs. Positions count from 0, or from the end
 * with -1 for the last row. The project defaults to the first one.
 */
export type AnnotationReference = number | { readonly at: number; readonly project?: number }

/**
 * An id, or a position in the list that an organization shows. The organization defaults to that of the first project.
 */
export type PluginReference = number | { readonly at: number; readonly organization?: string }

/** A second actor as it is listed. */
export interface ActorInfo {
  readonly id: string
  readonly after: ActorTrigger & { readonly requests: number; readonly every: boolean }
  readonly steps: readonly ActorStep[]
  /** How many times it ran. */
  readonly runs: number
  /** Matching requests until the next run, or null if it is done. */
  readonly remaining: number | null
  /** The latest failed steps, at most ten. */
  readonly errors: readonly ActorError[]
  /** Why it can never run, or null. */
  readonly warning: string | null
}

/** A failed step. The steps after it still ran. */
export interface ActorError {
  /** The number of the run, from 1 */
  readonly run: number
  /** Such as `steps[0]` */
  readonly step: string
  readonly message: string
}

export const triggerSchema = z.strictObject({
  ...requestPatternFields,
  requests: z.int().min(1).optional(),
  every: z.boolean().optional(),
})

/** The fields that a step writes, and the position that it can refer to, by list. */
const lists = {
  annotations: once(() => ({
    row: partialRow(rowSchemas().annotations, ['id', 'created_at', 'updated_at']),
    position: z.strictObject({ at: z.int(), project: idSchema.exactOptional() }),
  })),
  plugins: once(() => ({
    row: partialRow(rowSchemas().plugins, ['id', 'revision']),
    position: z.strictObject({ at: z.int(), organization: uuidSchema.exactOptional() }),
  })),
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
      typed(
        z.strictObject({
          [action]: z.literal(name),
          ...fields(list(), isPosition ? list().position : idSchema),
        }),
      ),
  ])
  return Object.fromEntries(schemas)
}

/** Makes all fields of a row optional, and leaves out those that the world sets. */
function partialRow(row: z.ZodType, worldFields: readonly string[]): z.ZodType {
  const { shape } = row as z.ZodObject
  const fields = Object.entries(shape).filter(([name]) => !worldFields.includes(name))
  return z.strictObject(Object.fromEntries(fields)).partial()
}

const requestFieldsSchema = z.strictObject({
  after: z.unknown().optional(),
  steps: z.unknown().optional(),
})

/** Copies a requested actor. @throws UsageError with every issue and its path, such as `steps[0].row.content` */
export function parseActor(request: unknown): ActorRequest {
  const { after, steps } = (request ?? {}) as Record<string, unknown>
  const issues = [
    ...issuesWithin(['after'], schemaIssues(triggerSchema, after)),
    ...stepListIssues(steps),
    ...schemaIssues(requestFieldsSchema, request ?? {}, 'actor'),
  ]
  if (issues.length > 0) throw issuesError('Failed to add an actor. Nothing was added.', issues)
  return structuredClone({ after, steps }) as ActorRequest
}

function stepListIssues(steps: unknown): Issue[] {
  const path = ['steps']
  if (!Array.isArray(steps)) {
    return [{ path, text: `expected a list of steps, got ${inspectValue(steps)}` }]
  }
  if (steps.length === 0) return [{ path, text: 'expected at least one step, got []' }]
  return steps.flatMap((step, index) => stepIssues(step, ['steps', index]))
}

function stepIssues(step: unknown, path: Path): Issue[] {
  const fields = Object(step) as Record<string, unknown>
  const actions = Object.keys(stepSchemas)
  const action = actions.find((name) => Object.hasOwn(fields, name))
  if (action === undefined) {
    const hint = Object.keys(fields)
      .map((name) => suggestWord(name, actions))
      .find(Boolean)
    const actual = `${inspectValue(step)}${hint ? `.${hint}` : ''}`
    return [{ path, text: `expected one of ${actions.join(', ')}, got ${actual}` }]
  }
  const schemas = stepSchemas[action] ?? {}
  const list = String(fields[action])
  if (!Object.hasOwn(schemas, list)) {
    const names = Object.keys(schemas)
    const hint = suggestWord(list, names)
    const actual = `${inspectValue(fields[action])}${hint && `.${hint}`}`
    const text = `expected one of ${names.join(', ')}, got ${actual}`
    return [{ path: [...path, action], text }]
  }
  const isPosition = typeof fields.id === 'object' && fields.id !== null
  return issuesWithin(path, schemaIssues((schemas[list] as StepSchema)(isPosition), step))
}
