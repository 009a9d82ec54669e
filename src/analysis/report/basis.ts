import type { Endpoint } from '../../http/endpoint.ts'
import { isByPolicy } from '../../policies/by-policy.ts'
import { documentLines } from '../../policies/document.ts'
import type { PolicyId, PolicySettings } from '../../policies/policies.ts'
import { observedSources } from '../../policies/policy.ts'
import {
  evidenceOfField,
  evidenceOfStatus,
  policyReason,
  type Reason,
} from '../reasons/evidence.ts'
import type { DescribedFields } from './described-fields.ts'

/** Why a part of the API is believed to be as it is. */
export type Basis = Pick<Reason, 'evidence' | 'source'>

const documented: Basis = { evidence: 'documented', source: 'the documentation says so' }
const observed: Basis = { evidence: 'observed', source: observedSources.source }
const unknown: Basis = { evidence: 'assumed', source: 'a fault, or no part of the API' }

/** An operation is documented, unless a policy adds it. */
export function basisOfOperation({ enabled }: Endpoint<never>, settings: PolicySettings): Basis {
  return isByPolicy(enabled) ? basisOfPolicy(enabled.policy, settings) : documented
}

export function basisOfPolicy(id: PolicyId, settings: PolicySettings): Basis {
  return toBasis(policyReason(id, settings))
}

export function basisOfStatus(id: string, status: number, settings: PolicySettings): Basis {
  return toBasis(evidenceOfStatus(id, status, settings))
}

/** @param path the path of a field, such as `results[].content` */
export function basisOfField(
  id: string,
  kind: keyof DescribedFields,
  path: string,
  settings: PolicySettings,
): Basis {
  if (kind === 'parameters') {
    const line = (documentLines as Readonly<Record<string, string>>)[`operation.${id}`]
    return line?.includes(`${path} (`) ? documented : observed
  }
  const side = kind === 'request_fields' ? 'body' : 'response'
  return toBasis(evidenceOfField(id, side, path.replaceAll('[]', '.0'), settings))
}

function toBasis(reason: Reason | undefined): Basis {
  if (!reason) return unknown
  const { evidence, source } = reason
  return { evidence, source }
}
