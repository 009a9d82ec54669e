import * as z from 'zod'
import { faultRuleSchema, presetRequestSchema } from '../../simulator/faults/schema.ts'
import { statusSchema } from '../../simulator/journal/filter.ts'
import { resetParts } from '../../simulator/reset.ts'
import { rowEditSchemas } from '../../world/edit/edit-rows.ts'
import { worldSchema } from '../../world/schema/world-schema.ts'
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
const clock = z.union([z.string(), z.strictObject({ mode, now: z.string().optional() })], {
  error: 'expected "real", a time, or { mode, now }',
})

const profile = z.enum(['documented', 'live'])
const settings = z.record(z.string(), z.union([z.string(), z.number()]))
const unit = z.number().optional()

export const changeSchemas: Readonly<Record<ChangeKind, z.ZodType>> = {
  ...rowEditSchemas(),
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
  remove: z.string().regex(/^fault-\d+$/, { error: 'expected the id of a fault, such as fault-1' }),
  clear: z.literal('faults'),
  revoke: z.string(),
  profile,
  settings,
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
  settings: settings.optional(),
  clock: clock.optional(),
})

export function changeStepSchema(kind: ChangeKind): z.ZodObject {
  return z.strictObject({
    title,
    [kind]: changeSchemas[kind],
    ...(kind === 'rows' && { save: save.optional() }),
  })
}
