import * as z from 'zod'
import { clientRules } from '../client-rules/client-mistakes.ts'
import type { ClientMistake } from '../client-rules/rule.ts'
import type { RunReport } from './run-report.ts'

const text = z.string()
const texts = z.array(text)
const basis = { evidence: z.enum(['documented', 'observed', 'assumed']), source: text }

const itemFields = {
  operation: text.exactOptional(),
  name: text,
  ...basis,
  exercised: z.boolean(),
  requests: z.int().exactOptional(),
}
const items = z.array(z.object(itemFields))

/** Describes a mistake of a client in the OpenAPI document. */
export const clientMistakeSchema: z.ZodType<ClientMistake> = z.object({
  rule: z.enum(clientRules.map(({ id }) => id)),
  level: z.enum(['error', 'warning', 'note']),
  message: z.string(),
  cure: z.string().exactOptional(),
  evidence: z.string().exactOptional(),
  source: z.string().exactOptional(),
  details: z.array(z.string()).exactOptional(),
  entries: z.array(z.int()),
  count: z.int(),
}) as unknown as z.ZodType<ClientMistake>

/** Describes a report in the OpenAPI document. */
export const reportSchema: z.ZodType<RunReport> = z.object({
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
}) as unknown as z.ZodType<RunReport>
