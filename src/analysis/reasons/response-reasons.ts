import * as z from 'zod'
import type { JournalEntry } from '../../sandbox/journal/entry.ts'
import type { Immutable } from '../../utils/immutable.ts'

const reasonSchema = z.object({
  /** The id of a policy, a constant such as `error.not_found`, or a line of the documentation such as `annotation.scope` */
  id: z.string(),
  /** The setting, if the rule is a policy */
  setting: z.union([z.string(), z.number()]).exactOptional(),
  sentence: z.string(),
  evidence: z.enum(['documented', 'observed', 'assumed']),
  source: z.string(),
  /** The lines of the documentation that the rule is about */
  documentation: z.array(z.string()),
})

const suggestedRequestSchema = z.object({
  method: z.string(),
  /** The path and the query */
  path: z.string(),
  /** The key to use, as in `Authorization: Bearer …` */
  key: z.object({ label: z.string().nullable(), value: z.string() }).nullable(),
  headers: z.record(z.string(), z.string()),
  /** JSON as a value. Null for no body */
  body: z.unknown(),
})

export const reasonsSchema = z.object({
  /** The id of the journal entry */
  entry: z.int(),
  status: z.int(),
  /** Why the response is as it is, in a sentence */
  sentence: z.string(),
  /** The fields and parameters that the operation ignored, such as `?serch, did you mean search?` */
  ignored: z.array(z.string()),
  /** The rule that decided the status */
  decided_by: reasonSchema,
  /** The policies that the response depends on, the ones that decided first */
  policies: z.array(reasonSchema),
  /** The rule of each field of the body, by the path of the field: `results.0.content` */
  fields: z.record(z.string(), reasonSchema),
  headers: z.record(z.string(), reasonSchema),
  /** The rule and the default of each field of the request body */
  request_fields: z.record(z.string(), reasonSchema),
  /** The nearest request that succeeds now. Null for a response without an error, and if none is known */
  would_succeed: suggestedRequestSchema.nullable(),
})

/** A rule that a response follows, and why it is believed. */
export type Reason = Immutable<z.infer<typeof reasonSchema>>

/** A request that this caller can send. It succeeds with the current rows and policies, unless a fault applies. */
export type SuggestedRequest = Immutable<z.infer<typeof suggestedRequestSchema>>

/** Why a response is as it is: each part of it, with the rule behind it and the evidence for the rule. */
export type ResponseReasons = Immutable<z.infer<typeof reasonsSchema>>

/** A response, its journal entry, or the id of the entry. */
export type ExplainedResponse = Response | Pick<JournalEntry, 'id'> | number
