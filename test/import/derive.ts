import { expect } from 'vitest'
import { importExchanges } from '../../src/import/import-exchanges.ts'
import { findIncident, type Incident } from '../../src/import/incident.ts'
import { createSimulator, type Exchange, type Scenario, type WorldJson } from '../../src/index.ts'
import { formatStepWarnings } from '../../src/scenarios/recording/recorder.ts'
import { createTraffic, type TrafficInput } from '../support/traffic.ts'

/** Derives a scenario, with its warnings as sentences. */
export async function scenarioFromTraffic(...input: Parameters<typeof importExchanges>) {
  const derived = await importExchanges(...input)
  return { ...derived, warnings: formatStepWarnings(derived.warnings) }
}

/** Derives a scenario from what a client sent and got. */
export function scenarioOf(...inputs: readonly TrafficInput[]) {
  return scenarioFromTraffic(createTraffic(...inputs))
}

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

/** What went wrong in a scenario. @param doubled the creates that were sent twice */
export function incidentOf(scenario: Scenario, doubled?: readonly number[]): Promise<Incident> {
  return findIncident(scenario, createSimulator(), doubled && { doubled })
}
