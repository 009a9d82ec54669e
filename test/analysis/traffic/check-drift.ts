import { findDrift } from '../../../src/analysis/traffic/find-drift.ts'
import { countDifferences } from '../../../src/analysis/traffic/settings-from-traffic.ts'
import { resolvePolicies } from '../../../src/policies/settings.ts'
import { parseScenario } from '../../../src/scenarios/format/check-scenario.ts'
import { createRandom } from '../../support/random.ts'
import { recordTraffic, somePolicies } from './random-traffic.ts'

const settings = resolvePolicies('documented')

/** What drift says wrongly of a random client of a service with random policies. */
export async function findFalseWords(seed: number): Promise<readonly unknown[]> {
  const random = createRandom(seed)
  const hidden = somePolicies(random, 1 + random.below(8))
  const scenario = await recordTraffic(random, hidden, 5 + random.below(20))
  const real = resolvePolicies('documented', hidden)
  const isSame = (id: keyof typeof real): boolean => real[id] === settings[id]

  const drift = await findDrift(scenario, { settings })

  const contradicted = drift.contradictions.filter(({ policy }) => isSame(policy))
  const undecided = drift.undecided.filter(({ one_of }) => {
    return one_of.every(({ policy }) => isSame(policy))
  })
  const served = resolvePolicies('documented', drift.policies)
  const differing = await countDifferences(parseScenario(scenario), served)
  const wrong = [...contradicted, ...undecided, ...drift.unexplained, ...drift.not_sent]
  return [...wrong, ...(differing === 0 ? [] : [{ differing, policies: drift.policies }])]
}
