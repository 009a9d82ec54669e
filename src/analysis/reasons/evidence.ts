import { documentLines } from '../../policies/document.ts'
import {
  describeValue,
  type Evidence,
  type PolicyId,
  type PolicySettings,
  policies,
  policyCitations,
} from '../../policies/policies.ts'
import type { Reason } from './response-reasons.ts'

/** The least certain one first. */
export const evidences: readonly Evidence[] = ['assumed', 'observed', 'documented']

/** Compares for sorting: the least certain one comes first. */
export function byEvidence(one: Pick<Reason, 'evidence'>, other: Pick<Reason, 'evidence'>): number {
  return evidences.indexOf(one.evidence) - evidences.indexOf(other.evidence)
}

/** The reason of a policy with its setting. */
export function policyReason(id: PolicyId, settings: PolicySettings): Reason {
  const setting = settings[id]
  const { meaning, evidence, source } = describeValue(id, setting)
  const sentence = `${policies[id].question} ${meaning}`
  const documentation = policyCitations[id].map((line) => documentLines[line])
  return { id, setting, sentence, evidence, source, documentation }
}

/** The policies that decide whether a response has a header. */
export const headerPolicies: Readonly<Record<string, PolicyId>> = {
  allow: 'headers.allow',
  location: 'headers.location',
  'www-authenticate': 'keys.www_authenticate',
  'retry-after': 'limits.retry_after',
}
