import * as z from 'zod'
import type { Evidence, SettingId } from '../../settings/setting.ts'
import { clientRules } from '../client-rules/client-mistakes.ts'
import type { ClientMistake } from '../client-rules/rule.ts'

const text = z.string()
const texts = z.array(text)
const settingId = z.string<SettingId>()

/** A part of the API, and whether the run exercised it. */
export interface ReportItem {
  /** The id of its operation. Operations and settings have none */
  readonly operation?: string
  /** The id of an operation or a setting, or a status */
  readonly name: string
  readonly exercised: boolean
  /** How many requests exercised it */
  readonly requests: number
}

/** A setting, its values with their evidence, and whether a response could depend on it. */
export interface SettingItem extends ReportItem {
  readonly name: SettingId
  readonly question: string
  /** The settings under which requests consulted it. If none did, the current one */
  readonly settings: readonly string[]
  /** That of the least certain value */
  readonly evidence: Evidence
  /** The documentation, observation or assumption, in words */
  readonly source: string
}

/** How a run used a key. */
export interface KeyReport {
  /** Its label. Null for keys without one */
  readonly key: string | null
  /** Null for a key without a list of scopes, which may do everything */
  readonly scopes: readonly string[] | null
  /** A scope that was enough for each of its operations, as few as possible */
  readonly used: readonly string[]
  /** The scopes that the key has and did not use */
  readonly unused: readonly string[]
  /** Operations that the key may not use */
  readonly refused: readonly string[]
  /** Which scopes the key used */
  readonly sentence: string
}

/** What a run rests on: what it exercised of the API, what it never did, and the evidence for its settings. */
export interface RunReport {
  readonly requests: number
  /** Requests that the journal no longer had, so that the report does not cover them */
  readonly not_covered: number
  /** Requests that no operation matches */
  readonly unmatched: number
  /** Responses that a fault affected */
  readonly faults: number
  readonly operations: readonly ReportItem[]
  readonly statuses: readonly ReportItem[]
  readonly settings: readonly SettingItem[]
  readonly keys: readonly KeyReport[]
  /** What the client does that it should not */
  readonly mistakes: readonly ClientMistake[]
}

// The types are interfaces, because declarations of inferred types have no comments.
const itemFields = {
  operation: text.exactOptional(),
  name: text,
  exercised: z.boolean(),
  requests: z.int(),
}
const items = z.array(z.object(itemFields))

const settingItemSchema = z.object({
  ...itemFields,
  name: settingId,
  question: text,
  settings: texts,
  evidence: z.enum(['documented', 'observed', 'assumed']),
  source: text,
})

const keyReportSchema = z.object({
  key: text.nullable(),
  scopes: texts.nullable(),
  used: texts,
  unused: texts,
  refused: texts,
  sentence: text,
})

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
  tests: texts.exactOptional(),
})

export const reportSchema = z.object({
  requests: z.int(),
  not_covered: z.int(),
  unmatched: z.int(),
  faults: z.int(),
  operations: items,
  statuses: items,
  settings: z.array(settingItemSchema),
  keys: z.array(keyReportSchema),
  mistakes: z.array(clientMistakeSchema),
}) satisfies z.ZodType<RunReport>
