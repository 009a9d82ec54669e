import type { Evidence } from '../settings/evidence.ts'
import type { SettingOverrides } from '../settings/resolve.ts'
import {
  describeValue,
  otherValues,
  type SettingId,
  type SettingValue,
  type SettingValues,
  settingIds,
} from '../settings/setting.ts'

/** One plausible other service: a setting has another value than in a run. */
export interface Variant {
  /** A unique name, such as `annotations.delete.status=404` */
  readonly id: string
  readonly on: SettingId
  /** What differs, such as `Both return them, with deleted: true.` */
  readonly sentence: string
  /** Why the other service is plausible */
  readonly evidence: Evidence
  /** The documentation, observation or assumption, in words */
  readonly source: string
  readonly settings: SettingOverrides
}

type NumericSetting = {
  [Id in SettingId]: SettingValue<Id> extends number ? Id : never
}[SettingId]

// Tests have few rows, so two rows per page stand for every page that is smaller than a list.
const pageSizes = [2, 100]

/** The values of settings of whole numbers that a sweep tries. */
const plausibleNumbers: Readonly<Record<NumericSetting, readonly number[]>> = {
  'annotations.list.limit.default': pageSizes,
  'plugins.list.limit.default': pageSizes,
  'projects.list.limit.default': pageSizes,
  // The default limit of Express, and the value of the profile `live`.
  'limits.body': [102_400, 20_971_520],
}

/** Lists each other plausible value of some settings, in the order of the settings. */
export function settingVariants(ids: Iterable<SettingId>, settings: SettingValues): Variant[] {
  const wanted = new Set(ids)
  const inOrder = settingIds.filter((id) => wanted.has(id))
  return otherValues(inOrder, settings, plausibleNumbers).map(({ id, value }) => {
    const { meaning, evidence, source } = describeValue(id, value)
    const settings: SettingOverrides = { [id]: value }
    return { id: `${id}=${value}`, on: id, sentence: meaning, evidence, source, settings }
  })
}
