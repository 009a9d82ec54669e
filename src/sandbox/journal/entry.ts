import * as z from 'zod'
import type { EndpointSuggestion } from '../../http/unknown-path.ts'
import type { Immutable } from '../../utils/immutable.ts'
import { typed } from '../../utils/schema-issues.ts'
import type { Json } from '../../world/rows.ts'
import type { ListName } from '../../world/table/tables.ts'

export type { EndpointSuggestion }

const text = z.string()
const setting = z.union([text, z.number()])

export const maskedKeySchema = z.object({
  /** Null for a key without a label, and for an unknown key */
  label: text.nullable(),
  /** Such as `phx_…1234` */
  value: text,
})

const messageSchema = z.object({
  headers: z.record(text, text),
  /** JSON as a value, a form as an object, anything else as text. Null for no body */
  body: z.unknown(),
  /** The length of the body */
  bytes: z.int(),
  /** Whether the body was too large to store. Then `body` is null */
  omitted: z.boolean(),
})

const responseSchema = messageSchema.extend({
  /** 0 if the connection broke */
  status: z.int(),
})

const policySchema = z.object({
  id: text,
  setting,
  evidence: z.enum(['documented', 'observed', 'assumed']),
  source: text,
})

const decisionSchema = policySchema.extend({
  /** A setting with which the status would have been another */
  would_be: setting,
})

const faultSchema = z.object({
  /** The id of its rule */
  id: text,
  effect: typed<Json>(z.unknown()),
  phase: text,
})

const changeSchema = z.object({
  list: z.string<ListName>(),
  id: z.union([z.int(), text]),
  kind: z.enum(['created', 'changed', 'removed']),
  /** The old and the new value of each changed field. Null for a row that does not exist */
  fields: z.record(text, typed<[before: unknown, after: unknown]>(z.array(z.unknown()))),
})

export const journalEntrySchema = z.object({
  /** Counted from 1, in the order in which requests arrive */
  id: z.int(),
  /** When the request arrived: ISO 8601, UTC, by the clock of the sandbox */
  at: text,
  /** The time until the response, in milliseconds */
  ms: z.number(),
  /** The operation id, or null for an unknown path or method */
  operation: text.nullable(),
  method: text,
  path: text,
  /** The last value of each parameter */
  query: z.record(text, text),
  /** Null for a request without a key */
  key: maskedKeySchema.nullable(),
  request: messageSchema,
  response: responseSchema,
  /** Why the response is as it is, in a sentence. Null for an unremarkable success */
  reason: text.nullable(),
  /** The fields and parameters that the operation ignored, such as `body.contnt, did you mean content?` */
  ignored: z.array(text),
  /** The policies that the response depends on */
  policies: z.array(policySchema),
  /** The policies that decided that the request is refused. Only if there are any */
  decided_by: z.array(decisionSchema).exactOptional(),
  /** The fault that was applied, or null */
  fault: faultSchema.nullable(),
  changes: z.array(changeSchema),
  /** The endpoints closest to the request. Only for requests without an operation */
  nearest: z.array(z.object({ route: text, difference: text })).exactOptional(),
  /** The replica that got the request. Only if the journals of several replicas are merged */
  replica: z.int().exactOptional(),
})

/** A request and its response. Keys are masked, here and everywhere else in the journal. */
export type JournalEntry = Immutable<z.infer<typeof journalEntrySchema>>

/** A key, never in full. */
export type MaskedKey = Immutable<z.infer<typeof maskedKeySchema>>

/** The headers and the body of a request or a response. */
export type JournalMessage = Immutable<z.infer<typeof messageSchema>>

/** A response. */
export type JournalResponse = Immutable<z.infer<typeof responseSchema>>

/** A policy, its setting at the time of the request, and the evidence for it. */
export type JournalPolicy = Immutable<z.infer<typeof policySchema>>

/** A policy that decided a refusal. */
export type JournalDecision = Immutable<z.infer<typeof decisionSchema>>

/** The fault that was applied to a request. */
export type JournalFault = Immutable<z.infer<typeof faultSchema>>

/** A row that a request changed. */
export type JournalChange = Immutable<z.infer<typeof changeSchema>>
