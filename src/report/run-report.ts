import { byEvidence } from '../explain/evidence.ts'
import type { Reason } from '../explain/response-reasons.ts'
import { describeValue, type SettingId, settingIds, settingsById } from '../settings/setting.ts'
import type { RequestFinding } from '../utils/reports/report.ts'
import { describeUse, type KeyUse } from './key-use.ts'
import type { RunUsage } from './run-usage.ts'

/** A setting that responses depended on, and why its values are believed. */
export interface ReportedSetting extends Pick<Reason, 'id' | 'evidence' | 'source'> {
  readonly question: string
  /** Its values when requests consulted it. Evidence and source are those of the least certain one */
  readonly values: readonly string[]
  /** How many requests consulted it */
  readonly requests: number
}

/** How a run used a key. */
export interface ReportedKey extends KeyUse {
  /** The scopes that the key has and did not use */
  readonly unused: readonly string[]
  /** Which scopes the key used */
  readonly sentence: string
}

/** What the client of a run did wrong, and what the run depends on. */
export interface RunReport {
  readonly requests: number
  /** Requests that the journal no longer had, so that the report does not cover them */
  readonly not_covered: number
  /** Requests that no operation matches */
  readonly unmatched: number
  /** Responses that a fault affected */
  readonly faults: number
  readonly mistakes: readonly RequestFinding[]
  /** By the id of a rule: how many requests it did not judge, because their bodies were not kept */
  readonly not_checked: Readonly<Record<string, number>>
  /** The settings that the run depends on: the least certain one first */
  readonly settings: readonly ReportedSetting[]
  readonly keys: readonly ReportedKey[]
}

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
