import * as z from 'zod'
import type { OperationId } from '../../http/operation-id.ts'
import type { Evidence } from '../../settings/evidence.ts'
import type { Json } from '../../world/rows.ts'
import { worldLists } from '../../world/tables.ts'

const text = z.string()

const maskedKeySchema = z.object({
  /** Null for a key without a label, and for an unknown key */
  label: text.nullable(),
  /** Such as `phx_…1234` */
  value: text,
})

const messageSchema = z.object({
  headers: z.record(text, text),
  /** JSON but null as a value, a form as an object, anything else as text. Null for no body. A HEAD has that of GET */
  body: z.unknown(),
  /** The length of the body */
  bytes: z.int(),
  /** Whether the body was too large to store, or was not asked for. Then `body` is null */
  omitted: z.boolean(),
})

const responseSchema = messageSchema.extend({
  /** 0 if the connection broke before it */
  status: z.int(),
})

const settingSchema = z.object({
  id: text,
  value: z.union([text, z.number()]),
  evidence: z.enum(['documented', 'source', 'assumed'] satisfies Evidence[]),
  source: text,
})

const faultSchema = z.object({
  /** The id of its rule */
  id: text,
  effect: z.custom<Json>(() => true),
  phase: text,
})

const changeSchema = z.object({
  list: z.enum(worldLists),
  id: z.union([z.int(), text]),
  kind: z.enum(['created', 'changed', 'removed']),
  /** The old and the new value of each changed field. Null for a row that does not exist */
  fields: z.record(text, z.tuple([z.unknown(), z.unknown()]).readonly()),
})

const suggestionSchema = z.object({
  /** `GET /api/projects/:project_id/annotations` */
  route: text,
  /** How the request differs: `segment 4: expected annotations, got annotation` */
  difference: text,
})

/** An entry of a journal. */
export const journalEntrySchema = z.object({
  /** Counted from 1, in the order in which requests arrive */
  id: z.int(),
  /** When the request arrived: ISO 8601, UTC, by the clock of its world */
  at: text,
  /** The time until the response, in milliseconds */
  ms: z.number(),
  /** The operation id, or null for a path or a method without one */
  operation: z.custom<OperationId>((value) => typeof value === 'string').nullable(),
  method: text,
  path: text,
  /** The last value of each parameter */
  query: z.record(text, text),
  /** The query as sent. Absent if no parameter occurs more than once */
  query_text: text.exactOptional(),
  /** Null for a request without a key */
  key: maskedKeySchema.nullable(),
  request: messageSchema,
  response: responseSchema,
  /** Why the response is as it is, in a sentence. Null for an unremarkable success */
  reason: text.nullable(),
  /** What the operation ignored, such as `body.contnt, did you mean content?` */
  ignored: z.array(text),
  /** The settings that the response depends on */
  settings: z.array(settingSchema),
  /** The fault that was applied, or null */
  fault: faultSchema.nullable(),
  changes: z.array(changeSchema),
  /**
   * The test that the request belongs to: its header `Understudy-Test`, or the name of its simulator or sandbox. Only if
   * it is known
   */
  test: text.exactOptional(),
  /** The endpoints closest to the request. Only for requests without an operation */
  nearest: z.array(suggestionSchema).exactOptional(),
})

/** A request and its response. Keys of six or more characters are masked, here and elsewhere in the journal. */
export type JournalEntry = z.infer<typeof journalEntrySchema>
/** A key, never in full. */
export type MaskedKey = z.infer<typeof maskedKeySchema>
/** The headers and the body of a request or a response. */
export type JournalMessage = z.infer<typeof messageSchema>
/** A setting, its value when the response was made, and the evidence for it. */
export type JournalSetting = z.infer<typeof settingSchema>
/** A row that a request changed. */
export type JournalChange = z.infer<typeof changeSchema>
