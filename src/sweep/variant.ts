import type { Evidence } from '../settings/evidence.ts'
import { overrideSettings, type SettingOverrides } from '../settings/resolve.ts'
import {
  describeValue,
  otherValues,
  type SettingId,
  type SettingValue,
  type SettingValues,
  settingIds,
} from '../settings/setting.ts'
import type { FaultRequest } from '../simulator/faults/schema.ts'
import type { Simulator } from '../simulator/simulator.ts'

/** One plausible other service: settings or faults that differ from those of a run. */
export interface Variant {
  /** A unique name, such as `annotations.delete.status=404` */
  readonly id: string
  /** What differs, such as `Both return them, with deleted: true.` */
  readonly sentence: string
  /** What a client needs that breaks with it, such as `that created_by is never null`. By default another service */
  readonly needs?: string
  /** Why the other service is plausible */
  readonly evidence: Evidence
  /** The documentation, observation or assumption, in words */
  readonly source: string
  readonly settings?: SettingOverrides
  readonly faults?: readonly FaultRequest[]
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
    return { id: `${id}=${value}`, sentence: meaning, evidence, source, settings }
  })
}

/**
 * Turns a simulator into another service. `reset` restores the other service, and sandboxes that are created later
 * have its settings and faults. The clients of a simulator must not have sent requests yet.
 *
 * @throws UsageError for an unknown setting or value, and for an invalid fault
 * @example applyVariant(simulator, { ...variant, settings: { 'annotations.delete.status': '404' } })
 */
export function applyVariant(
  simulator: Simulator,
  { settings: overrides = {}, faults = [] }: Pick<Variant, 'settings' | 'faults'>,
): void {
  const { state } = simulator
  const settings = overrideSettings(state.settings, overrides)
  simulator.faults.addInitial(faults)
  state.initialSettings = settings
  state.settings = settings
}
