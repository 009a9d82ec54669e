import type { Simulator } from '../simulator/simulator.ts'
import { findFullAccess } from '../world/rows.ts'

/** Says which key a client gets, if the settings make it another one than the first with full access. Null if they do not */
export function describeUsualKey({ keys, defaults }: Simulator): string | null {
  const rows = keys.list()
  const first = findFullAccess(rows, {})
  const used = rows.find(({ value }) => value === defaults.key)
  if (!first || !used || used.value === first.value) return null
  return `The key is ${used.label}, not ${first.label}, because plugins.other.scope = refused refuses keys with scopes.`
}
