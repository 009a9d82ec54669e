import { declaredStatuses } from '../../api/declared-failures.ts'
import { endpoints } from '../../api/endpoints.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { isEndpointEnabled } from '../../http/route.ts'
import { isByPolicy, resolveByPolicy } from '../../policies/by-policy.ts'
import { type PolicyId, type PolicySettings, policies } from '../../policies/policies.ts'
import { policyIds } from '../../policies/setting-ranges.ts'
import { type PolicyOverrides, resolvePolicies } from '../../policies/settings.ts'
import type { ClientMistake } from '../client-rules/rule.ts'
import { byEvidence } from '../reasons/evidence.ts'
import {
  type Basis,
  basisOfField,
  basisOfOperation,
  basisOfPolicy,
  basisOfStatus,
} from './basis.ts'
import { describeFields } from './described-fields.ts'
import type { KeyUsage, RunUsage } from './run-usage.ts'

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
export interface KeyReport extends Pick<KeyUsage, 'key' | 'scopes' | 'refused'> {
  /** The scopes that operations required, as the documentation names them */
  readonly used: readonly string[]
  /** The scopes that operations required whose scope the documentation does not name */
  readonly used_unnamed: readonly string[]
  /** The scopes that the key has, and that no operation required */
  readonly unused: readonly string[]
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
      ...basisOfOperation(endpoint, settings),
      ...counted(usage.operations[endpoint.id]?.requests),
    })),
    statuses: described.flatMap((endpoint) => listStatuses(endpoint, usage, settings)),
    parameters: fieldsOf('parameters'),
    request_fields: fieldsOf('request_fields'),
    response_fields: fieldsOf('response_fields'),
    policies: policyIds.map((id) => toPolicyItem(id, usage, settings)),
    keys: usage.keys.map(toKeyReport),
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

function toKeyReport({ key, scopes, required, refused }: KeyUsage): KeyReport {
  const requiredBy = (isUnnamed: boolean): string[] => {
    const entries = Object.entries(required).filter(([id]) => unnamed.has(id) === isUnnamed)
    return [...new Set(entries.map(([, scope]) => scope))].sort()
  }
  const [used, guessed] = [requiredBy(false), requiredBy(true)]
  const isUsed = (scope: string): boolean => used.includes(scope) || guessed.includes(scope)
  return {
    key,
    scopes,
    used,
    used_unnamed: guessed.filter((scope) => !used.includes(scope)),
    unused: (scopes ?? []).filter((scope) => !isUsed(scope)),
    refused,
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
