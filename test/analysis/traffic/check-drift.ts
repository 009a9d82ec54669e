import { findDrift } from '../../../src/analysis/traffic/comparison.ts'
import { countDifferences } from '../../../src/analysis/traffic/settings-from-traffic.ts'
import { resolvePolicies } from '../../../src/policies/settings.ts'
import { parseScenario } from '../../../src/scenarios/format/check-scenario.ts'
import { createRandom } from '../../support/random.ts'
import { recordTraffic, somePolicies } from './random-traffic.ts'

const settings = resolvePolicies('documented')

/** What drift says of a random client of a service with random policies. */
interface CheckedDrift {
  /** What it says wrongly */
  readonly wrong: readonly unknown[]
  /** What it leaves open: requests that it does not explain, or that do not repeat with the policies that it writes */
  readonly open: readonly unknown[]
}

export async function checkDrift(seed: number): Promise<CheckedDrift> {
  const random = createRandom(seed)
  const hidden = somePolicies(random, 1 + random.below(8))
  const scenario = await recordTraffic(random, hidden, 5 + random.below(20))
  const real = resolvePolicies('documented', hidden)
  const isSame = (id: keyof typeof real): boolean => real[id] === settings[id]

  const drift = await findDrift(scenario, { settings })

  const contradicted = drift.contradictions.filter(({ policy }) => isSame(policy))
  const undecided = drift.undecided.filter(({ one_of }) => {
    return one_of.flat().every(({ policy }) => isSame(policy))
  })
  const served = resolvePolicies('documented', drift.policies)
  const differing = await countDifferences(parseScenario(scenario), served)
  return {
    wrong: [...contradicted, ...undecided],
    open: [...drift.unexplained, ...drift.not_sent, ...(differing === 0 ? [] : [{ differing }])],
  }
}
