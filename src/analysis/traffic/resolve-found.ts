import { type OtherValue, toOverrides } from '../../policies/other-values.ts'
import type { PolicyId, PolicySettings } from '../../policies/policies.ts'
import { overridePolicies } from '../../policies/settings.ts'
import type { ParsedScenario } from '../../scenarios/format/check-scenario.ts'
import { type Alternative, countDifferences, type FoundValue } from './settings-from-traffic.ts'

/** A value that explains differences of the traffic, compared with the others that do. */
export interface Resolved {
  readonly best: FoundValue
  /** The values that explain the whole traffic equally well, `best` included: each alone, or two together */
  readonly fits: readonly Alternative[]
  /** Whether all of them are values of one policy, so that its setting is contradicted for sure */
  readonly isCertain: boolean
}

/**
 * Decides between the values that explain the same difference, by the rest of the traffic: those stay with which the
 * fewest requests differ. A value that later ones made needless is dropped.
 *
 * @param limit how many requests may be sent. Then all values stay
 */
export async function resolveFound(
  scenario: ParsedScenario,
  base: PolicySettings,
  found: ReadonlyMap<PolicyId, FoundValue>,
  limit: number,
): Promise<Resolved[]> {
  const length = scenario.steps.length
  let left = limit
  const chosen = new Map(found)
  const count = (values: Iterable<OtherValue>, until?: number): Promise<number> => {
    left -= length
    return countDifferences(scenario, overridePolicies(base, toOverrides(values)), until)
  }
  const without = (id: PolicyId): FoundValue[] =>
    [...chosen.values()].filter((value) => value.id !== id)
  if (chosen.size === 0) return []
  let fewest = await count(chosen.values())
  for (const id of found.keys()) {
    if (left < length) break
    const differing = await count(without(id), fewest + 1)
    if (differing > fewest) continue
    chosen.delete(id)
    fewest = differing
  }
  const resolved: Resolved[] = []
  for (const value of [...chosen.values()]) {
    const { number, alternatives } = value
    let best = value
    let fits: Alternative[] = [[value]]
    for (const other of alternatives) {
      const rest = without(value.id)
      // Another found value explains the difference as well, so it is the one.
      if (rest.some(({ id }) => other.some((each) => each.id === id))) continue
      const differing = left < length ? fewest : await count([...rest, ...other], fewest + 1)
      const [single, ...more] = other
      if (differing < fewest && single && more.length === 0) {
        best = { ...single, number, alternatives }
        fits = [other]
        fewest = differing
      } else if (differing <= fewest) fits.push(other)
    }
    chosen.delete(value.id)
    chosen.set(best.id, best)
    const isCertain = fits.every(([first, ...more]) => first?.id === best.id && more.length === 0)
    resolved.push({ best, fits, isCertain })
  }
  return resolved
}
