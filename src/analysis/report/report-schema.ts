import * as z from 'zod'
import type { Evidence, PolicyId } from '../../policies/policies.ts'
import { clientRules } from '../client-rules/client-mistakes.ts'
import type { ClientMistake } from '../client-rules/rule.ts'

const text = z.string()
const texts = z.array(text)
const policyId = z.string<PolicyId>()

interface Basis {
  readonly evidence: Evidence
  /** The documentation, observation or assumption, in words */
  readonly source: string
}

/** A part of the API, whether the run exercised it, and why it is believed to be so. */
export interface ReportItem extends Basis {
  /** The id of its operation. Operations and policies have none */
  readonly operation?: string
  /** The id of an operation or a policy, a status, a parameter, or the path of a field */
  readonly name: string
  readonly exercised: boolean
  /** How many requests exercised it. Parameters and fields are not counted */
  readonly requests?: number
}

/** A policy, its settings, and whether a response could depend on it. */
export interface PolicyItem extends ReportItem {
  readonly name: PolicyId
  readonly question: string
  /** The settings under which requests consulted it. If none did, the current one */
  readonly settings: readonly string[]
}

/** How a run used a key. */
export interface KeyReport {
  /** Its label. Null for keys without one */
  readonly key: string | null
  /** Null for a key without a list of scopes, which may do everything */
  readonly scopes: readonly string[] | null
  /** The scopes that operations required, as the documentation names them */
  readonly used: readonly string[]
  /** The scopes that operations required whose scope the documentation does not name */
  readonly used_unnamed: readonly string[]
  /** The scopes with the fewest rights that are enough. Those that it has if no list of scopes is enough */
  readonly least: readonly string[] | null
  /** The scopes that the key has, and that are not among the least */
  readonly unused: readonly string[]
  /** Operations that the key may not use */
  readonly refused: readonly string[]
  /** Which scopes the key needs */
  readonly sentence: string
}

/** An operation whose scope the documentation does not name. */
export interface UnnamedScope extends Basis {
  readonly operation: string
  /** The policy that decides its scope */
  readonly policy: PolicyId
  readonly scope: string
  readonly exercised: boolean
}

/** What a run rests on: what it exercised of the API, what it never did, and the evidence for each. */
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
  /** The parameters of queries */
  readonly parameters: readonly ReportItem[]
  readonly request_fields: readonly ReportItem[]
  readonly response_fields: readonly ReportItem[]
  readonly policies: readonly PolicyItem[]
  readonly keys: readonly KeyReport[]
  readonly unnamed_scopes: readonly UnnamedScope[]
  /** What the client does that it should not */
  readonly mistakes: readonly ClientMistake[]
}

// The types are interfaces, because declarations of inferred types have no comments.
const basis = { evidence: z.enum(['documented', 'observed', 'assumed']), source: text }

const itemFields = {
  operation: text.exactOptional(),
  name: text,
  ...basis,
  exercised: z.boolean(),
  requests: z.int().exactOptional(),
}
const items = z.array(z.object(itemFields))

const policyItemSchema = z.object({
  ...itemFields,
  name: policyId,
  question: text,
  settings: texts,
})

const keyReportSchema = z.object({
  key: text.nullable(),
  scopes: texts.nullable(),
  used: texts,
  used_unnamed: texts,
  least: texts.nullable(),
  unused: texts,
  refused: texts,
  sentence: text,
})

const unnamedScopeSchema = z.object({
  operation: text,
  policy: policyId,
  scope: text,
  ...basis,
  exercised: z.boolean(),
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
  parameters: items,
  request_fields: items,
  response_fields: items,
  policies: z.array(policyItemSchema),
  keys: z.array(keyReportSchema),
  unnamed_scopes: z.array(unnamedScopeSchema),
  mistakes: z.array(clientMistakeSchema),
}) satisfies z.ZodType<RunReport>
