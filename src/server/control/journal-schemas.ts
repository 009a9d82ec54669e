import * as z from 'zod'
import { clientRules } from '../../analysis/client-rules/client-mistakes.ts'

const text = z.string()
const texts = z.array(text)
const setting = z.union([text, z.number()])
const basis = { evidence: z.enum(['documented', 'observed', 'assumed']), source: text }

export const maskedKeySchema = z.object({ label: text.nullable(), value: text })

const messageSchema = z.object({
  headers: z.record(text, text),
  body: z.unknown(),
  bytes: z.int(),
  omitted: z.boolean(),
})

const policySchema = z.object({ id: text, setting, ...basis })

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
  policies: z.array(policySchema),
  decided_by: z.array(policySchema.extend({ would_be: setting })).optional(),
  fault: z.object({ id: text, effect: z.unknown(), phase: text }).nullable(),
  changes: z.array(
    z.object({
      list: text,
      id: z.union([z.int(), text]),
      kind: z.enum(['created', 'changed', 'removed']),
      fields: z.record(text, z.array(z.unknown())),
    }),
  ),
  nearest: z.array(z.object({ route: text, difference: text })).optional(),
  replica: z.int().optional(),
})

const reasonSchema = z.object({
  id: text,
  setting: setting.exactOptional(),
  sentence: text,
  ...basis,
  documentation: texts,
})

const reasonsByName = z.record(text, reasonSchema)

export const reasonsSchema = z.object({
  entry: z.int(),
  status: z.int(),
  sentence: text,
  ignored: texts,
  decided_by: reasonSchema,
  policies: z.array(reasonSchema),
  fields: reasonsByName,
  headers: reasonsByName,
  request_fields: reasonsByName,
  would_succeed: z
    .object({
      method: text,
      path: text,
      key: maskedKeySchema.nullable(),
      headers: z.record(text, text),
      body: z.unknown(),
    })
    .nullable(),
})

const itemFields = {
  operation: text.exactOptional(),
  name: text,
  ...basis,
  exercised: z.boolean(),
  requests: z.int().exactOptional(),
}
const items = z.array(z.object(itemFields))

export const clientMistakeSchema = z.object({
  rule: z.enum(clientRules.map(({ id }) => id)),
  level: z.enum(['error', 'warning', 'note']),
  message: text,
  cure: text.exactOptional(),
  evidence: text.exactOptional(),
  source: text.exactOptional(),
  details: texts.exactOptional(),
  entries: z.array(z.int()),
  count: z.int(),
})

export const reportSchema = z.object({
  requests: z.int(),
  not_covered: z.int(),
  unmatched: z.int(),
  faults: z.int(),
  operations: items,
  statuses: items,
  parameters: items,
  request_fields: items,
  response_fields: items,
  policies: z.array(z.object({ ...itemFields, question: text, settings: texts })),
  keys: z.array(
    z.object({
      key: text.nullable(),
      scopes: texts.nullable(),
      used: texts,
      used_unnamed: texts,
      unused: texts,
      refused: texts,
    }),
  ),
  unnamed_scopes: z.array(
    z.object({ operation: text, policy: text, scope: text, ...basis, exercised: z.boolean() }),
  ),
  mistakes: z.array(clientMistakeSchema),
})
