import { ActiveRule } from '../sandbox/faults/active-rule.ts'
import { type FaultRequest, parseFaultRequest } from '../sandbox/faults/fault-request.ts'
import { SimulatorBase } from '../sandbox/simulator-base.ts'
import { formatCount } from './output.ts'

/** How many random numbers are drawn to find a seed. */
const maxDraws = 200_000
const maxSeed = 1_000

/** A random rule, and how many requests it matched. */
interface RandomRule {
  readonly create: () => ActiveRule
  readonly matched: number
}

/**
 * Returns a message if there were random faults and none was applied: the same seed never applies them.
 *
 * @param requests the faults that were added at the start
 */
export function unusedFaultMessages(
  simulator: SimulatorBase,
  requests: readonly FaultRequest[],
): string[] {
  const infos = simulator.faults.list()
  const random = infos.filter(({ when }) => (when?.probability ?? 1) < 1)
  const count = Math.max(0, ...random.map(({ matched }) => matched))
  if (count === 0 || random.some(({ applied }) => applied > 0)) return []
  const rules = requests.flatMap(parseFaultRequest).map((rule, index) => {
    const id = `fault-${index + 1}`
    const matched = random.find((info) => info.id === id)?.matched ?? 0
    return { create: () => new ActiveRule(id, rule), matched }
  })
  // A restore starts the random numbers over, so they cannot be predicted from the counts.
  const wasRestored = SimulatorBase.sandboxOf(simulator).restoreCount > 0
  const seed = wasRestored ? null : findSeed(rules)
  const hint =
    seed === null
      ? 'another --seed selects other requests.'
      : `with --seed ${seed} the same requests meet one.`
  return [
    `No random fault was applied to ${formatCount(count, 'request')}. Faults are deterministic: ${hint}`,
  ]
}

/** Finds the lowest seed with which a rule applies to one of as many requests. Null if the search takes too long. */
function findSeed(rules: readonly RandomRule[]): number | null {
  const draws = rules.reduce((sum, { matched }) => sum + matched, 0)
  const last = Math.min(maxSeed, Math.floor(maxDraws / draws))
  for (let seed = 1; seed <= last; seed++) {
    if (rules.some((rule) => appliesWith(seed, rule))) return seed
  }
  return null
}

function appliesWith(seed: number, { create, matched }: RandomRule): boolean {
  const rule = create()
  for (let request = 0; request < matched; request++) {
    if (rule.countRequest({ seed, restoreCount: 0 })) return true
  }
  return false
}
