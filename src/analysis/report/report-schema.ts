import * as z from 'zod'
import type { PolicyId } from '../../policies/policies.ts'
import type { Immutable } from '../../utils/immutable.ts'
import { clientRules } from '../client-rules/client-mistakes.ts'

const text = z.string()
const texts = z.array(text)
const policyId = z.string<PolicyId>()

const basis = {
  evidence: z.enum(['documented', 'observed', 'assumed']),
  /** The documentation, observation or assumption, in words */
  source: text,
}

const itemFields = {
  /** The id of its operation. Operations and policies have none */
  operation: text.exactOptional(),
  /** The id of an operation or a policy, a status, a parameter, or the path of a field */
  name: text,
  ...basis,
  exercised: z.boolean(),
  /** How many requests exercised it. Parameters and fields are not counted */
  requests: z.int().exactOptional(),
}
const itemSchema = z.object(itemFields)
const items = z.array(itemSchema)

const policyItemSchema = z.object({
  ...itemFields,
  name: policyId,
  question: text,
  /** The settings under which requests consulted it. If none did, the current one */
  settings: texts,
})

const keyReportSchema = z.object({
  /** Its label. Null for keys without one */
  key: text.nullable(),
  /** Null for a key without a list of scopes, which may do everything */
  scopes: texts.nullable(),
  /** The scopes that operations required, as the documentation names them */
  used: texts,
  /** The scopes that operations required whose scope the documentation does not name */
  used_unnamed: texts,
  /** The scopes that the key has, and that no operation required */
  unused: texts,
  /** Operations that the key may not use */
  refused: texts,
})

const unnamedScopeSchema = z.object({
  operation: text,
  /** The policy that decides its scope */
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
})

export const reportSchema = z.object({
  requests: z.int(),
  /** Requests that the journal no longer had, so that the report does not cover them */
  not_covered: z.int(),
  /** Requests that no operation matches */
  unmatched: z.int(),
  /** Responses that a fault affected */
  faults: z.int(),
  operations: items,
  statuses: items,
  /** The parameters of queries */
  parameters: items,
  request_fields: items,
  response_fields: items,
  policies: z.array(policyItemSchema),
  keys: z.array(keyReportSchema),
  unnamed_scopes: z.array(unnamedScopeSchema),
  /** What the client does that it should not */
  mistakes: z.array(clientMistakeSchema),
})

/** A part of the API, whether the run exercised it, and why it is believed to be so. */
export type ReportItem = Immutable<z.infer<typeof itemSchema>>

/** A policy, its settings, and whether a response could depend on it. */
export type PolicyItem = Immutable<z.infer<typeof policyItemSchema>>

/** How a run used a key. */
export type KeyReport = Immutable<z.infer<typeof keyReportSchema>>

/** An operation whose scope the documentation does not name. */
export type UnnamedScope = Immutable<z.infer<typeof unnamedScopeSchema>>

/** What a run rests on: what it exercised of the API, what it never did, and the evidence for each. */
export type RunReport = Immutable<z.infer<typeof reportSchema>>
