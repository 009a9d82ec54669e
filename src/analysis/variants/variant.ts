import type { Evidence } from '../../policies/policy.ts'
import { overridePolicies, type PolicyOverrides } from '../../policies/settings.ts'
import type { FaultRequest } from '../../sandbox/faults/fault-request.ts'
import type { SimulatorBase } from '../../sandbox/simulator-base.ts'
import { hasAllScopes, type KeyRow } from '../../world/rows.ts'

/** One plausible other service: policies, faults or scopes that differ from those of a run. */
export interface Variant {
  /** A unique name, such as `annotations.delete.status=404` */
  readonly id: string
  /** What differs, such as `Both return them, with deleted: true.` */
  readonly sentence: string
  /** Why the other service is plausible */
  readonly evidence: Evidence
  /** The documentation, observation or assumption, in words */
  readonly source: string
  readonly policies?: PolicyOverrides
  readonly faults?: readonly FaultRequest[]
  /** The only scopes that keys keep. A key with all scopes keeps exactly these. */
  readonly scopes?: readonly string[]
}

/**
 * Turns a simulator into another service. `reset` restores the other service, and sandboxes that are created later
 * have its policies and scopes. The clients of a simulator must not have sent requests yet.
 *
 * @throws UsageError for an unknown policy or value, and for an invalid fault
 * @example applyVariant(simulator, { ...variant, policies: { 'annotations.delete.status': '404' } })
 */
export function applyVariant(
  simulator: SimulatorBase,
  { policies = {}, faults = [], scopes }: Pick<Variant, 'policies' | 'faults' | 'scopes'>,
): void {
  const { sandbox } = simulator
  const settings = overridePolicies(sandbox.policyTracker.untracked, policies)
  for (const fault of faults) simulator.faults.add(fault)
  simulator.faults.initial = [...simulator.faults.initial, ...faults]
  sandbox.initialSettings = settings
  sandbox.settings = settings
  if (scopes === undefined) return
  const { keys } = sandbox.tables
  for (const key of [...keys.values()]) {
    keys.set({ ...key, scopes: keptScopes(key, scopes) })
  }
  sandbox.setInitial()
}

function keptScopes(key: KeyRow, kept: readonly string[]): readonly string[] {
  return hasAllScopes(key) ? kept : (key.scopes ?? []).filter((scope) => kept.includes(scope))
}
