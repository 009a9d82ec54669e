import { settingsOfTraffic } from '../../compare/settings-of-traffic.ts'
import type { Exchange } from '../../http/exchange.ts'
import { parseScenario } from '../../scenarios/format/check-scenario.ts'
import { isRequestStep } from '../../scenarios/format/scenario.ts'
import { scenarioFromTraffic, type TrafficScenario } from '../../scenarios/import/from-traffic.ts'
import { withoutUnknownFields } from '../../scenarios/import/unknown-fields.ts'
import type { RecorderOptions, RecordingHead } from '../../scenarios/recording/recorder.ts'
import { createSimulator } from '../../simulator.ts'
import { simulatorFor } from '../scenario-simulator.ts'

/** The labels of the keys of the fixture `default`, which traffic of this simulator has. */
export function knownKeys(): Record<string, string> {
  const keys = createSimulator().keys.list()
  return Object.fromEntries(keys.map(({ label, value }) => [label, value]))
}

/**
 * Makes a scenario of requests and responses, with the world and the settings that they show. It does not expect fields
 * that only the service has.
 */
export async function importExchanges(
  exchanges: readonly Exchange[],
  options: RecorderOptions & RecordingHead,
): Promise<TrafficScenario> {
  const found = await scenarioFromTraffic(exchanges, options)
  const { steps, ...head } = found.scenario
  if (!steps.some(isRequestStep)) return found
  const { profile, settings } = await settingsOfTraffic(found.scenario)
  const scenario = parseScenario({
    ...head,
    ...(profile !== 'documented' && { profile }),
    ...(Object.keys(settings).length > 0 && { settings }),
    steps,
  })
  const simulator = await simulatorFor(scenario)
  const known = withoutUnknownFields(scenario, await simulator.replay(scenario, { decide: false }))
  return { ...found, scenario: known.scenario, warnings: [...found.warnings, ...known.warnings] }
}
