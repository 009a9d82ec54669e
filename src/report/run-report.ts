import { declaredStatuses } from '../api/declared-failures.ts'
import { endpoints } from '../api/endpoints.ts'
import { byEvidence, settingReason } from '../explain/evidence.ts'
import type { Reason } from '../explain/response-reasons.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { isEndpointEnabled } from '../http/route.ts'
import type { ClientMistake } from '../mistakes/rule.ts'
import { resolveSettings, type SettingOverrides } from '../settings/resolve.ts'
import {
  type Evidence,
  type SettingId,
  type SettingValues,
  settingIds,
  settingsById,
} from '../settings/setting.ts'
import { describeUse, type KeyUse } from './key-use.ts'
import type { RunUsage } from './run-usage.ts'

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
interface KeyReport extends KeyUse {
  /** The scopes that the key has and did not use */
  readonly unused: readonly string[]
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

/** Creates the report of a run, under the settings of its simulators. */
export function createRunReport(usage: RunUsage): RunReport {
  const settings = resolveSettings('documented', usage.settings as SettingOverrides)
  const described = endpoints.filter(
    (endpoint) => isEndpointEnabled(endpoint, settings) || usage.operations[endpoint.id],
  )
  const { requests, not_covered, unmatched, faults, mistakes } = usage
  return {
    requests,
    not_covered,
    unmatched,
    faults,
    operations: described.map(({ id }) => ({
      name: id,
      ...counted(usage.operations[id]?.requests),
    })),
    statuses: described.flatMap((endpoint) => listStatuses(endpoint, usage, settings)),
    settings: settingIds.map((id) => toSettingItem(id, usage, settings)),
    keys: usage.keys.map(toKeyReport),
    mistakes,
  }
}

function counted(requests = 0): Pick<ReportItem, 'exercised' | 'requests'> {
  return { exercised: requests > 0, requests }
}

function listStatuses(
  endpoint: Endpoint,
  { operations }: RunUsage,
  settings: SettingValues,
): ReportItem[] {
  const used = operations[endpoint.id]?.statuses ?? {}
  const declared = [...declaredStatuses(endpoint, settings).keys()]
  const names = [...new Set([...declared, ...Object.keys(used).map(Number)])].sort((a, b) => a - b)
  return names.map((status) => ({
    operation: endpoint.id,
    name: String(status),
    ...counted(used[status]),
  }))
}

function toSettingItem(
  id: SettingId,
  { consulted: used }: RunUsage,
  settings: SettingValues,
): SettingItem {
  const counts = used[id] ?? {}
  const names = Object.keys(counts)
  const consulted = names.length > 0 ? names : [String(settings[id])]
  // A setting of several values has the evidence of the least certain one.
  const [reason] = consulted
    .map((value) => settingReason(id, { ...settings, [id]: value }))
    .sort(byEvidence)
  const { evidence, source } = reason as Reason
  return {
    name: id,
    question: settingsById[id].question,
    settings: consulted,
    evidence,
    source,
    ...counted(Object.values(counts).reduce((sum, count) => sum + count, 0)),
  }
}

function toKeyReport(use: KeyUse): KeyReport {
  const unused = (use.scopes ?? []).filter((scope) => !use.used.includes(scope))
  return { ...use, unused, sentence: describeUse(use) }
}
