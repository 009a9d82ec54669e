import { documentLines } from '../settings/document.ts'
import type { Evidence } from '../settings/evidence.ts'
import {
  describeValue,
  type SettingId,
  type SettingValues,
  settingsById,
} from '../settings/setting.ts'
import type { Reason } from '../simulator/response-reasons.ts'

/** The least certain one first. */
export const evidences: readonly Evidence[] = ['assumed', 'source', 'documented']

/** Compares for sorting: the least certain one comes first. */
export function byEvidence(a: Pick<Reason, 'evidence'>, b: Pick<Reason, 'evidence'>): number {
  return evidences.indexOf(a.evidence) - evidences.indexOf(b.evidence)
}

/** The reason of a setting with its value. */
export function settingReason(id: SettingId, settings: SettingValues): Reason {
  const value = settings[id]
  const { meaning, evidence, source } = describeValue(id, value)
  const { question, cites } = settingsById[id]
  const sentence = `${question} ${meaning}`
  const documentation = cites.map((line) => documentLines[line])
  return { id, value, sentence, evidence, source, documentation }
}

/** The settings that decide whether a response has a header. */
export const headerSettings: Readonly<Record<string, SettingId>> = {
  allow: 'headers.allow',
  location: 'headers.location',
  'www-authenticate': 'keys.www_authenticate',
  'retry-after': 'limits.retry_after',
}
