import { expect, test } from 'vitest'
import { compareTraffic } from '../../src/compare/compare-traffic.ts'
import { parseScenario } from '../../src/scenarios/format/check-scenario.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { wrongIn } from '../support/compare/compare-server.ts'
import { isLong } from '../support/long.ts'
import { createRandom } from '../support/random.ts'
import { recordTraffic, someSettings } from './random-traffic.ts'

const seeds = Array.from({ length: isLong ? 100 : 3 }, (_, seed) => seed)

test.each(seeds)('traffic of random clients shows no wrong value: seed %i', async (seed) => {
  const random = createRandom(seed)
  const hidden = someSettings(random, 1 + random.below(8))
  const scenario = await recordTraffic(random, hidden, 5 + random.below(20))

  const comparison = await compareTraffic(parseScenario(scenario), { nameOf: String })

  expect(wrongIn(comparison, resolveSettings('documented', hidden))).toEqual({})
  expect(comparison.unexplained).toEqual([])
  expect(comparison.explained).toBe(comparison.compared)
})
