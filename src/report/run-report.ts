import { byEvidence } from '../explain/evidence.ts'
import { describeValue, type SettingId, settingIds, settingsById } from '../settings/setting.ts'
import type { Reason } from '../simulator/response-reasons.ts'
import type { KeyUse, ReportedKey, ReportedSetting, RunReport } from '../simulator/run-report.ts'
import { describeUse } from './key-use.ts'
import type { RunUsage } from './run-usage.ts'

export function createRunReport(usage: RunUsage): RunReport {
  const { requests, not_covered, unmatched, faults, mistakes, not_checked } = usage
  const { consulted, keys } = usage
  const used = settingIds.filter((id) => consulted[id] !== undefined)
  const settings = used.map((id) => reportSetting(id, consulted[id] ?? {})).sort(byEvidence)
  const counts = { requests, not_covered, unmatched, faults }
  return { ...counts, mistakes, not_checked, settings, keys: keys.map(reportKey) }
}

/** @param counts how often each value was consulted */
function reportSetting(id: SettingId, counts: Readonly<Record<string, number>>): ReportedSetting {
  const values = Object.keys(counts)
  const described = values.map((value) => describeValue(id, value as never)).sort(byEvidence)
  const { evidence, source } = described[0] as Pick<Reason, 'evidence' | 'source'>
  const requests = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { id, question: settingsById[id].question, values, evidence, source, requests }
}

function reportKey(use: KeyUse): ReportedKey {
  const unused = (use.scopes ?? []).filter((scope) => !use.used.includes(scope))
  return { ...use, unused, sentence: describeUse(use) }
}
