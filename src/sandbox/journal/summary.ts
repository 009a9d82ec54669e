import type { PolicySettings } from '../../policies/policies.ts'
import type { JournalRecord } from './record.ts'
import { documentedOperation, type Renderer } from './renderer.ts'
import { usedPolicies } from './used-policies.ts'

/** The short form of a journal entry, for a line of a log. Keys are masked. */
export interface RequestSummary {
  /** The id of the journal entry */
  readonly id: number
  readonly method: string
  /** The path and the query */
  readonly target: string
  /** 0 if the connection broke */
  readonly status: number
  /** The time until the response, in milliseconds */
  readonly ms: number
  /** The label of the key, its masked value if it has no label, or null for a request without a key */
  readonly key: string | null
  /** The operation id, or null for an unknown path or method */
  readonly operation: string | null
  /** Determines the policies that the response depends on. This is the most expensive part, so it runs on demand */
  readonly policies: () => Partial<PolicySettings>
  /** The id of the fault rule that was applied, or null */
  readonly fault: string | null
  /** The endpoints closest to the request, or null for a known operation */
  readonly nearest: string | null
}

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
      Object.fromEntries(usedPolicies(record).map(({ id, setting }) => [id, setting])),
    fault: fault?.id ?? null,
    nearest: response.headers['understudy-nearest'] ?? null,
  }
}
