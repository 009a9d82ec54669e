import { expect } from 'vitest'
import { createSimulator, type Exchange, type WorldJson } from '../../../src/index.ts'
import { scenarioFromTraffic } from '../../../src/scenarios/import/from-traffic.ts'
import { createTraffic, type TrafficInput } from '../../support/scenarios/traffic.ts'

/** Derives a scenario, and replays it whole. */
export async function derive(...inputs: readonly TrafficInput[]) {
  return deriveFrom(createTraffic(...inputs))
}

export async function deriveFrom(exchanges: readonly Exchange[]) {
  const derived = await scenarioFromTraffic(exchanges)
  const { steps } = await createSimulator().run(derived.scenario)
  expect(steps.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  return { ...derived, world: derived.scenario.world as WorldJson }
}
