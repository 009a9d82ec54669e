import { byEvidence } from '../explain/evidence.ts'
import { describeValue, type SettingId, settingIds, settingsById } from '../settings/setting.ts'
import type { Reason } from '../simulator/response-reasons.ts'
import type { ReportedSetting, RunReport } from '../simulator/run-report.ts'
import type { RunUsage } from './run-usage.ts'

export function createRunReport({ consulted, ...counts }: RunUsage): RunReport {
  const used = settingIds.filter((id) => consulted[id] !== undefined)
  const settings = used.map((id) => reportSetting(id, consulted[id] ?? {})).sort(byEvidence)
  return { ...counts, settings }
}

/** @param counts how often each value was consulted */
function reportSetting(id: SettingId, counts: Readonly<Record<string, number>>): ReportedSetting {
  const values = Object.keys(counts)
  const described = values.map((value) => describeValue(id, value as never)).sort(byEvidence)
  const { evidence, source } = described[0] as Pick<Reason, 'evidence' | 'source'>
  const requests = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { id, question: settingsById[id].question, values, evidence, source, requests }
}
