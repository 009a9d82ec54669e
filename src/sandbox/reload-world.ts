import { loadWorld } from '../world/load/load-world.ts'
import { headOf, merged, mergeInto, type ReloadedRows } from '../world/merge/merge.ts'
import { allUncheckedFields, uncheckedFields } from '../world/world-format.ts'
import type { WorldJson } from '../world/world-json.ts'
import { SimulatorBase } from './simulator-base.ts'

/**
 * Takes over what changed from one version of a simulator's world to the next, as in a file that is edited: whole or
 * not at all. Rows that were written since stay as they are, and so does what they name. Reset goes back to the next
 * version.
 *
 * @param before the version that the simulator began with, or that was taken over last
 * @throws UsageError with every fault of the next version
 * @example reloadWorld(simulator, before, { ...before, annotations: [] }).conflicts
 */
export function reloadWorld(
  simulator: SimulatorBase,
  before: WorldJson,
  after: WorldJson,
): ReloadedRows {
  const sandbox = SimulatorBase.sandboxOf(simulator)
  const next = loadWorld(after, uncheckedFields(sandbox.policyTracker.untracked))
  const former = loadWorld(before, allUncheckedFields)
  sandbox.startedAs(merged(sandbox.initial, former, next), headOf(sandbox.loaded, former, next))
  return mergeInto(sandbox.tables, former, next)
}
