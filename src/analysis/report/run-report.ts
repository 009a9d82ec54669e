import { declaredStatuses } from '../../api/declared-failures.ts'
import { endpoints } from '../../api/endpoints.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { isEndpointEnabled } from '../../http/route.ts'
import { resolveSettings, type SettingOverrides } from '../../settings/resolve.ts'
import {
  type SettingId,
  type SettingValues,
  settingIds,
  settingsById,
} from '../../settings/setting.ts'
import { describeUse, type KeyUse, usedScopes } from '../keys.ts'
import { byEvidence, settingReason } from '../reasons/evidence.ts'
import type { Reason } from '../reasons/response-reasons.ts'
import type { KeyReport, ReportItem, RunReport, SettingItem } from './report-schema.ts'
import type { RunUsage } from './run-usage.ts'

/** The parts of a report that have items, with their titles. */
export const itemKinds = {
  operations: 'Operations',
  statuses: 'Statuses',
  settings: 'Settings',
} as const

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
    keys: usage.keys.map((use) => toKeyReport(use, settings)),
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

function toKeyReport(use: KeyUse, settings: SettingValues): KeyReport {
  const { key, scopes, refused } = use
  const used = usedScopes(use)
  const unused = (scopes ?? []).filter((scope) => !used.includes(scope))
  return { key, scopes, used, unused, refused, sentence: describeUse(use, settings) }
}
