import * as z from 'zod'
import { stepSchemas, triggerSchema } from '../../sandbox/actors/actor-request.ts'
import { faultRuleSchema, presetRequestSchema } from '../../sandbox/faults/fault-request.ts'
import { statusSchema } from '../../sandbox/journal/filter.ts'
import { resetParts } from '../../sandbox/simulator-base.ts'
import type { AccessibleRows } from '../../world/defaults.ts'
import { rowSchemas, worldSchema } from '../../world/schema/world-schema.ts'
import { worldLists } from '../../world/tables.ts'
import { type ChangeKind, requestMethods } from './scenario.ts'

const title = z.string().optional()

const save = z.record(
  z.string().regex(/^\w+$/, { error: 'expected a name of letters, digits and underscores' }),
  z.string().regex(/^(\/([^~/]|~[01])*)*$/, {
    error: 'expected a JSON Pointer such as /results/0/id',
  }),
)

const headers = z.record(
  z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/, { error: 'expected a header name' }),
  z
    .string()
    .regex(/^[\t\x20-\x7e\x80-\xff]*$/, { error: 'expected characters that a header can contain' }),
)

const wholeText = z.union([z.string(), z.strictObject({ $text: z.string() })], {
  error: 'expected a string or { "$text": … }',
})

const expected = z.strictObject({
  status: statusSchema.optional(),
  headers: z.record(z.string(), z.unknown()).optional(),
  body: z.unknown().optional(),
  exact_body: z.unknown().optional(),
  text: wholeText.optional(),
  broken: z.literal(true).optional(),
})

export const requestStepSchema: z.ZodType = z.strictObject({
  title,
  as: z.string().optional(),
  method: z.enum(requestMethods),
  path: z.string().regex(/^(\/|\{\w+\})[^\s#]*$/, {
    error: 'expected a path that starts with a slash, or a saved URL such as {next}',
  }),
  query: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  headers: headers.optional(),
  body: z.unknown().optional(),
  text: wholeText.optional(),
  expect: expected.optional(),
  save: save.optional(),
})

const mode = z.enum(['real', 'frozen', 'ticking'])
const clock = z.union([z.string(), z.strictObject({ mode, time: z.string().optional() })], {
  error: 'expected "real", a time, or { mode, time }',
})

const profile = z.enum(['documented', 'live'])
const policies = z.record(z.string(), z.union([z.string(), z.number()]))
const unit = z.number().optional()

const actorSteps = Object.values(stepSchemas).flatMap((lists) =>
  Object.values(lists).flatMap((schema) => [schema(false), schema(true)]),
)

/** Keys and catalogue entries cannot be updated or deleted in bulk. */
const accessibleLists = worldLists.filter(
  (list): list is keyof AccessibleRows => list !== 'keys' && list !== 'repository',
)

/** The schema of rows to add. Any field of a row is optional. */
export const newRowsSchema = z.strictObject({
  ...listSchemas((row) => row.partial()),
  keys: z.array(rowSchemas().keys.partial()).exactOptional(),
  repository: z.array(rowSchemas().repository).exactOptional(),
})

export const changeSchemas: Readonly<Record<ChangeKind, z.ZodType>> = {
  rows: newRowsSchema,
  update: z.strictObject(listSchemas((row) => row.partial().required({ id: true }))),
  delete: z.strictObject(listSchemas((row) => row.shape.id as z.ZodType)),
  world: worldSchema() as z.ZodType,
  clock,
  advance: z.strictObject({
    milliseconds: unit,
    seconds: unit,
    minutes: unit,
    hours: unit,
    days: unit,
  }),
  fault: z.union([faultRuleSchema, presetRequestSchema]),
  actor: z.strictObject({ after: triggerSchema, steps: z.array(z.union(actorSteps)).min(1) }),
  remove: z.string().regex(/^(fault|actor)-\d+$/, {
    error: 'expected the id of a fault or an actor, such as fault-1',
  }),
  clear: z.enum(['faults', 'actors']),
  revoke: z.string(),
  profile,
  policies,
  snapshot: z.string(),
  restore: z.string(),
  reset: z.union([z.literal(true), z.array(z.enum(resetParts))], {
    error: `expected true, or a list of ${resetParts.join(', ')}`,
  }),
}

export const changeKinds: readonly ChangeKind[] = Object.keys(changeSchemas) as ChangeKind[]

export const scenarioHeadSchema: z.ZodObject = z.strictObject({
  $schema: z.string().optional(),
  format_version: z.int().min(1).optional(),
  title: z.string(),
  description: z.string().optional(),
  world: z
    .union([z.string(), worldSchema() as z.ZodType], {
      error: 'expected the name of a fixture, or a world',
    })
    .optional(),
  seed: z.int().optional(),
  profile: profile.optional(),
  policies: policies.optional(),
  clock: clock.optional(),
})

export function changeStepSchema(kind: ChangeKind): z.ZodObject {
  return z.strictObject({
    title,
    [kind]: changeSchemas[kind],
    ...(kind === 'rows' && { save: save.optional() }),
  })
}

function listSchemas(toItem: (row: z.ZodObject) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(
    accessibleLists.map((list) => [list, z.array(toItem(rowSchemas()[list])).exactOptional()]),
  )
}
