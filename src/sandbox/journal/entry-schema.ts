import * as z from 'zod'
import type { JournalEntry, MaskedKey } from './entry.ts'

/** Describes a masked key in the OpenAPI document. */
export const maskedKeySchema: z.ZodType<MaskedKey> = z.object({
  label: z.string().nullable(),
  value: z.string(),
})

const messageSchema = z.object({
  headers: z.record(z.string(), z.string()),
  body: z.unknown(),
  bytes: z.int(),
  omitted: z.boolean(),
})

const policySchema = z.object({
  id: z.string(),
  setting: z.union([z.string(), z.number()]),
  evidence: z.enum(['documented', 'observed', 'assumed']),
  source: z.string(),
})

/** Describes a journal entry in the OpenAPI document. */
export const journalEntrySchema: z.ZodType<JournalEntry> = z.object({
  id: z.int(),
  at: z.string(),
  ms: z.number(),
  operation: z.string().nullable(),
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.string()),
  key: maskedKeySchema.nullable(),
  request: messageSchema,
  response: messageSchema.extend({ status: z.int() }),
  reason: z.string().nullable(),
  ignored: z.array(z.string()),
  policies: z.array(policySchema),
  decided_by: z
    .array(policySchema.extend({ would_be: z.union([z.string(), z.number()]) }))
    .optional(),
  fault: z.object({ id: z.string(), effect: z.unknown(), phase: z.string() }).nullable(),
  changes: z.array(
    z.object({
      list: z.string(),
      id: z.union([z.int(), z.string()]),
      kind: z.enum(['created', 'changed', 'removed']),
      fields: z.record(z.string(), z.array(z.unknown())),
    }),
  ),
  nearest: z.array(z.object({ route: z.string(), difference: z.string() })).optional(),
  replica: z.int().optional(),
}) as unknown as z.ZodType<JournalEntry>
