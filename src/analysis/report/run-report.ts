import { declaredStatuses } from '../../api/declared-failures.ts'
import { endpoints } from '../../api/endpoints.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { isEndpointEnabled } from '../../http/route.ts'
import { isByPolicy, resolveByPolicy } from '../../policies/by-policy.ts'
import { documentedParameters } from '../../policies/document.ts'
import {
  observedSources,
  type PolicyId,
  type PolicySettings,
  policies,
  policyIds,
} from '../../policies/policies.ts'
import { type PolicyOverrides, resolvePolicies } from '../../policies/settings.ts'
import { describeLeastScopes, findLeastScopes, type KeyUse } from '../keys.ts'
import {
  byEvidence,
  evidenceOfField,
  evidenceOfOperation,
  evidenceOfStatus,
  policyReason,
} from '../reasons/evidence.ts'
import type { Reason } from '../reasons/response-reasons.ts'
import { type DescribedFields, describeFields } from './described-fields.ts'
import type { KeyReport, PolicyItem, ReportItem, RunReport, UnnamedScope } from './report-schema.ts'
import type { RunUsage } from './run-usage.ts'

/** Why a part of the API is believed to be as it is. */
type Basis = Pick<Reason, 'evidence' | 'source'>

/** The parts of a report that have items, with their titles. */
export const itemKinds = {
  operations: 'Operations',
  statuses: 'Statuses',
  parameters: 'Parameters',
  request_fields: 'Request fields',
  response_fields: 'Response fields',
  policies: 'Policies',
} as const

export type ItemKind = keyof typeof itemKinds

/** Creates the report of a run, under the settings of its simulators. */
export function createRunReport(usage: RunUsage): RunReport {
  const settings = resolvePolicies('documented', usage.settings as PolicyOverrides)
  const described = endpoints.filter(
    (endpoint) => isEndpointEnabled(endpoint, settings) || usage.operations[endpoint.id],
  )
  const fieldsOf = (kind: 'parameters' | 'request_fields' | 'response_fields'): ReportItem[] =>
    described.flatMap((endpoint) => {
      const used = usage.operations[endpoint.id]?.[kind] ?? []
      const names = new Set([...describeFields(endpoint, settings)[kind], ...used])
      return [...names].map((name) => ({
        operation: endpoint.id,
        name,
        ...basisOfField(endpoint.id, kind, name, settings),
        exercised: used.includes(name),
      }))
    })
  const { requests, not_covered, unmatched, faults, mistakes } = usage
  return {
    requests,
    not_covered,
    unmatched,
    faults,
    operations: described.map((endpoint) => ({
      name: endpoint.id,
      ...toBasis(evidenceOfOperation(endpoint, settings)),
      ...counted(usage.operations[endpoint.id]?.requests),
    })),
    statuses: described.flatMap((endpoint) => listStatuses(endpoint, usage, settings)),
    parameters: fieldsOf('parameters'),
    request_fields: fieldsOf('request_fields'),
    response_fields: fieldsOf('response_fields'),
    policies: policyIds.map((id) => toPolicyItem(id, usage, settings)),
    keys: usage.keys.map((use) => toKeyReport(use, settings)),
    unnamed_scopes: listUnnamedScopes(described, usage, settings),
    mistakes,
  }
}

function counted(requests = 0): Pick<ReportItem, 'exercised' | 'requests'> {
  return { exercised: requests > 0, requests }
}

function listStatuses(
  endpoint: Endpoint<never>,
  { operations }: RunUsage,
  settings: PolicySettings,
): ReportItem[] {
  const used = operations[endpoint.id]?.statuses ?? {}
  const declared = [...declaredStatuses(endpoint, settings).keys()]
  const names = [...new Set([...declared, ...Object.keys(used).map(Number)])].sort((a, b) => a - b)
  return names.map((status) => ({
    operation: endpoint.id,
    name: String(status),
    ...basisOfStatus(endpoint.id, status, settings),
    ...counted(used[status]),
  }))
}

function toPolicyItem(
  id: PolicyId,
  { policies: used }: RunUsage,
  settings: PolicySettings,
): PolicyItem {
  const counts = used[id] ?? {}
  const names = Object.keys(counts)
  const consulted = names.length > 0 ? names : [String(settings[id])]
  // A policy of several settings has the evidence of the least certain one.
  const [basis] = consulted
    .map((setting) => basisOfPolicy(id, { ...settings, [id]: setting }))
    .sort(byEvidence)
  return {
    name: id,
    question: policies[id].question,
    settings: consulted,
    ...(basis as Basis),
    ...counted(Object.values(counts).reduce((sum, count) => sum + count, 0)),
  }
}

/** The operations whose scope a policy decides, because the documentation does not name it. */
const unnamed: ReadonlyMap<string, PolicyId> = new Map(
  endpoints.flatMap(({ id, scope }) => (isByPolicy(scope) ? [[id, scope.policy]] : [])),
)

function toKeyReport(use: KeyUse, settings: PolicySettings): KeyReport {
  const { key, scopes, required, refused } = use
  const requiredBy = (isUnnamed: boolean): string[] => {
    const entries = Object.entries(required).filter(([id]) => unnamed.has(id) === isUnnamed)
    const rules = entries.map(([, { rule }]) => rule).filter((rule) => rule.includes(':'))
    return [...new Set(rules)].sort()
  }
  const used = requiredBy(false)
  const found = findLeastScopes(use, settings)
  return {
    key,
    scopes,
    used,
    used_unnamed: requiredBy(true).filter((scope) => !used.includes(scope)),
    least: found.least,
    unused: (scopes ?? []).filter((scope) => !found.least?.includes(scope)),
    refused,
    sentence: describeLeastScopes(use, found, settings, refused),
  }
}

function listUnnamedScopes(
  described: readonly Endpoint<never>[],
  { operations }: RunUsage,
  settings: PolicySettings,
): UnnamedScope[] {
  return described.flatMap(({ id, scope }) => {
    const policy = unnamed.get(id)
    if (policy === undefined) return []
    const rule = resolveByPolicy(scope, settings)
    const exercised = id in operations
    return [{ operation: id, policy, scope: rule, exercised, ...basisOfPolicy(policy, settings) }]
  })
}

const documented: Basis = { evidence: 'documented', source: 'the documentation says so' }
const observed: Basis = { evidence: 'observed', source: observedSources.source }
const unknown: Basis = { evidence: 'assumed', source: 'a fault, or no part of the API' }

function basisOfPolicy(id: PolicyId, settings: PolicySettings): Basis {
  return toBasis(policyReason(id, settings))
}

function basisOfStatus(id: string, status: number, settings: PolicySettings): Basis {
  return toBasis(evidenceOfStatus(id, status, settings))
}

/** @param path the path of a field, such as `results[].content` */
function basisOfField(
  id: string,
  kind: keyof DescribedFields,
  path: string,
  settings: PolicySettings,
): Basis {
  if (kind === 'parameters') {
    return documentedParameters[id]?.includes(path) ? documented : observed
  }
  const side = kind === 'request_fields' ? 'body' : 'response'
  return toBasis(evidenceOfField(id, side, path.replaceAll('[]', '.0'), settings))
}

function toBasis(reason: Reason | undefined): Basis {
  if (!reason) return unknown
  const { evidence, source } = reason
  return { evidence, source }
}
