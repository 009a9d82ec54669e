import {
  describeValue,
  type Evidence,
  otherValues,
  type PolicyId,
  type PolicySetting,
  type PolicySettings,
  policyIds,
} from '../../policies/policies.ts'
import { overridePolicies, type PolicyOverrides } from '../../policies/settings.ts'
import type { FaultRequest } from '../../sandbox/faults/fault-request.ts'
import type { SimulatorBase } from '../../sandbox/simulator-base.ts'

/** One plausible other service: policies or faults that differ from those of a run. */
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
  readonly policies?: PolicyOverrides
  readonly faults?: readonly FaultRequest[]
}

type NumericPolicy = {
  [Id in PolicyId]: PolicySetting<Id> extends number ? Id : never
}[PolicyId]

// Tests have few rows, so two rows per page stand for every page that is smaller than a list.
const pageSizes = [2, 100]

/** The values of policies of whole numbers that a sweep tries. */
const plausibleNumbers: Readonly<Record<NumericPolicy, readonly number[]>> = {
  'annotations.list.limit.default': pageSizes,
  'plugins.list.limit.default': pageSizes,
  'projects.list.limit.default': pageSizes,
  // The default limit of Express, and the value of the profile `live`.
  'limits.body': [102_400, 20_971_520],
}

/** Lists each other plausible value of some policies, in the order of the policies. */
export function policyVariants(ids: Iterable<PolicyId>, settings: PolicySettings): Variant[] {
  const wanted = new Set(ids)
  const inOrder = policyIds.filter((id) => wanted.has(id))
  return otherValues(inOrder, settings, plausibleNumbers).map(({ id, value }) => {
    const { meaning, evidence, source } = describeValue(id, value)
    const policies: PolicyOverrides = { [id]: value }
    return { id: `${id}=${value}`, sentence: meaning, evidence, source, policies }
  })
}

/**
 * Turns a simulator into another service. `reset` restores the other service, and sandboxes that are created later
 * have its policies. The clients of a simulator must not have sent requests yet.
 *
 * @throws UsageError for an unknown policy or value, and for an invalid fault
 * @example applyVariant(simulator, { ...variant, policies: { 'annotations.delete.status': '404' } })
 */
export function applyVariant(
  simulator: SimulatorBase,
  { policies = {}, faults = [] }: Pick<Variant, 'policies' | 'faults'>,
): void {
  const { sandbox } = simulator
  const settings = overridePolicies(sandbox.policyTracker.untracked, policies)
  for (const fault of faults) simulator.faults.add(fault)
  simulator.faults.initial = [...simulator.faults.initial, ...faults]
  sandbox.initialSettings = settings
  sandbox.settings = settings
}
