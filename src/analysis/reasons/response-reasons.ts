import * as z from 'zod'
import type { Evidence } from '../../policies/policies.ts'
import type { JournalEntry } from '../../sandbox/journal/entry.ts'

/** A rule that a response follows, and why it is believed. */
export interface Reason {
  /** The id of a policy, a constant such as `error.not_found`, or a line of the documentation such as `annotation.scope` */
  readonly id: string
  /** The setting, if the rule is a policy */
  readonly setting?: string | number
  readonly sentence: string
  readonly evidence: Evidence
  readonly source: string
  /** The lines of the documentation that the rule is about */
  readonly documentation: readonly string[]
}

/** A request that this caller can send. It succeeds with the current rows and policies, unless a fault applies. */
export interface SuggestedRequest {
  readonly method: string
  /** The path and the query */
  readonly path: string
  /** The key to use, as in `Authorization: Bearer …` */
  readonly key: { readonly label: string | null; readonly value: string } | null
  readonly headers: Readonly<Record<string, string>>
  /** JSON as a value. Null for no body */
  readonly body: unknown
}

/** Why a response is as it is: each part of it, with the rule behind it and the evidence for the rule. */
export interface ResponseReasons {
  /** The id of the journal entry */
  readonly entry: number
  readonly status: number
  /** Why the response is as it is, in a sentence */
  readonly sentence: string
  /** The fields and parameters that the operation ignored, such as `?serch, did you mean search?` */
  readonly ignored: readonly string[]
  /**
   * The rule that decided a refusal; of a success, the one with the weakest evidence of those that it follows. A documented
   * refusal has a documented requirement: no status of errors is documented
   */
  readonly decided_by: Reason
  /** The policies that the response depends on, the ones that decided first */
  readonly policies: readonly Reason[]
  /** The ids of the policies with another value of which the status, the rows or the fields would be others */
  readonly shaped_by: readonly string[]
  /** The rule of each field of the body, by the path of the field: `results.0.content` */
  readonly fields: Readonly<Record<string, Reason>>
  readonly headers: Readonly<Record<string, Reason>>
  /** The rule and the default of each field of the request body */
  readonly request_fields: Readonly<Record<string, Reason>>
  /** The nearest request that succeeds now. Null for a response without an error, and if none is known */
  readonly would_succeed: SuggestedRequest | null
}

// The types are interfaces, because declarations of inferred types have no comments.
const reasonSchema = z.object({
  id: z.string(),
  setting: z.union([z.string(), z.number()]).exactOptional(),
  sentence: z.string(),
  evidence: z.enum(['documented', 'observed', 'assumed']),
  source: z.string(),
  documentation: z.array(z.string()),
}) satisfies z.ZodType<Reason>

const suggestedRequestSchema = z.object({
  method: z.string(),
  path: z.string(),
  key: z.object({ label: z.string().nullable(), value: z.string() }).nullable(),
  headers: z.record(z.string(), z.string()),
  body: z.unknown(),
}) satisfies z.ZodType<SuggestedRequest>

export const reasonsSchema = z.object({
  entry: z.int(),
  status: z.int(),
  sentence: z.string(),
  ignored: z.array(z.string()),
  decided_by: reasonSchema,
  policies: z.array(reasonSchema),
  shaped_by: z.array(z.string()),
  fields: z.record(z.string(), reasonSchema),
  headers: z.record(z.string(), reasonSchema),
  request_fields: z.record(z.string(), reasonSchema),
  would_succeed: suggestedRequestSchema.nullable(),
}) satisfies z.ZodType<ResponseReasons>

/** A response, its journal entry, or the id of the entry. */
export type ExplainedResponse = Response | Pick<JournalEntry, 'id'> | number
