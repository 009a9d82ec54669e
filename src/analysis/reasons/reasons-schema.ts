import * as z from 'zod'
import { maskedKeySchema } from '../../sandbox/journal/entry-schema.ts'
import type { ResponseReasons } from './response-reasons.ts'

const reasonSchema = z.object({
  id: z.string(),
  setting: z.union([z.string(), z.number()]).exactOptional(),
  sentence: z.string(),
  evidence: z.enum(['documented', 'observed', 'assumed']),
  source: z.string(),
  documentation: z.array(z.string()),
})

/** Describes the reasons of a response in the OpenAPI document. */
export const reasonsSchema: z.ZodType<ResponseReasons> = z.object({
  entry: z.int(),
  status: z.int(),
  sentence: z.string(),
  ignored: z.array(z.string()),
  decided_by: reasonSchema,
  policies: z.array(reasonSchema),
  fields: z.record(z.string(), reasonSchema),
  headers: z.record(z.string(), reasonSchema),
  request_fields: z.record(z.string(), reasonSchema),
  would_succeed: z
    .object({
      method: z.string(),
      path: z.string(),
      key: maskedKeySchema.nullable(),
      headers: z.record(z.string(), z.string()),
      body: z.unknown(),
    })
    .nullable(),
})
