import type { PolicySettings } from '../../policies/policies.ts'
import type { JournalRecord } from './record.ts'
import { documentedOperation, type Renderer } from './renderer.ts'
import { usedPolicies } from './used-policies.ts'

/** A request and its answer in short: what a line of a log tells. No key is in it. */
export interface RequestSummary {
  /** Of the entry of the journal */
  readonly id: number
  readonly method: string
  /** The path and the query */
  readonly target: string
  /** 0 for a connection that broke */
  readonly status: number
  /** How long the answer took, in milliseconds */
  readonly ms: number
  /** The label of the key, or where it has none its value as `phx_…1234`; null for a request without one */
  readonly key: string | null
  /** The operation id; null for a path or a method that nothing describes */
  readonly operation: string | null
  /** Those that the answer came from, as they were set then. Found when it is called, which costs the most */
  readonly policies: () => Partial<PolicySettings>
  /** The rule that disturbed the answer; null where none did */
  readonly fault: string | null
  /** The routes that were probably meant; null for those that are described */
  readonly nearest: string | null
}

/** A record in short. */
export function summarize(record: JournalRecord, renderer: Renderer): RequestSummary {
  const { id, method, target, ms, fault, response } = record
  const key = renderer.key(record)
  return {
    id,
    method,
    target: renderer.redactor.url(target),
    status: response.status,
    ms: Math.round(ms * 1_000) / 1_000,
    key: key && (key.label ?? key.value),
    operation: documentedOperation(record),
    policies: () =>
      Object.fromEntries(usedPolicies(record).map((policy) => [policy.id, policy.setting])),
    fault: fault?.id ?? null,
    nearest: response.headers['understudy-nearest'] ?? null,
  }
}
