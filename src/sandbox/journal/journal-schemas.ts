import * as z from 'zod'

const text = z.string()
const texts = z.array(text)
const value = z.union([text, z.number()])
const basis = { evidence: z.enum(['documented', 'observed', 'assumed']), source: text }

const maskedKeySchema = z.object({ label: text.nullable(), value: text })

const messageSchema = z.object({
  headers: z.record(text, text),
  body: z.unknown(),
  bytes: z.int(),
  omitted: z.boolean(),
})

const settingSchema = z.object({ id: text, value, ...basis })

export const journalEntrySchema = z.object({
  id: z.int(),
  at: text,
  ms: z.number(),
  operation: text.nullable(),
  method: text,
  path: text,
  query: z.record(text, text),
  key: maskedKeySchema.nullable(),
  request: messageSchema,
  response: messageSchema.extend({ status: z.int() }),
  reason: text.nullable(),
  ignored: texts,
  settings: z.array(settingSchema),
  fault: z.object({ id: text, effect: z.unknown(), phase: text }).nullable(),
  changes: z.array(
    z.object({
      list: text,
      id: z.union([z.int(), text]),
      kind: z.enum(['created', 'changed', 'removed']),
      fields: z.record(text, z.array(z.unknown())),
    }),
  ),
  test: text.optional(),
  resets: z.int().optional(),
  missing_row: z.boolean().optional(),
  preceding_row: z.int().optional(),
  nearest: z.array(z.object({ route: text, difference: text })).optional(),
})
