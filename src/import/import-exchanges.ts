import type { Exchange } from '../http/exchange.ts'
import { freezeParsed, parseScenario } from '../scenarios/format/check-scenario.ts'
import { isRequestStep } from '../scenarios/format/scenario.ts'
import { simulatorFor } from '../scenarios/run/simulator-for.ts'
import { withTiesInOrder } from './complete-exchanges.ts'
import { deriveTraffic, type ImportOptions, type TrafficScenario } from './from-traffic.ts'
import { type PlayedScenario, playWhole } from './incident.ts'
import { withoutUnknownFields } from './unknown-fields.ts'

/** A scenario that was made of traffic. */
export interface ImportedScenario extends TrafficScenario {
  /** Whether it replays as recorded */
  readonly isWhole: boolean
  /** The result of its replay. Null if the scenario was changed after it */
  readonly played: PlayedScenario | null
}

/**
 * Makes a scenario of requests and responses, with the world and the settings that they show. It does not expect fields
 * that only the service has.
 */
export async function importExchanges(
  exchanges: readonly Exchange[],
  options: ImportOptions,
): Promise<ImportedScenario> {
  const ordered = exchanges.map(withTiesInOrder)
  const { fitted, ...derived } = await deriveTraffic(ordered, options)
  const { steps, ...head } = derived.scenario
  if (!steps.some(isRequestStep)) return { ...derived, isWhole: true, played: null }
  const { profile, settings } = await fitted()
  const scenario = freezeParsed(
    parseScenario({
      ...head,
      ...(profile !== 'documented' && { profile }),
      ...(Object.keys(settings).length > 0 && { settings }),
      steps,
    }),
  )
  const replayed = await playWhole(scenario, await simulatorFor(scenario))
  const { warnings, ...known } = withoutUnknownFields(scenario, replayed.result)
  const reordered = [...derived.exchangeOf].flatMap(([step, index]) =>
    ordered[index] === exchanges[index] ? [] : step,
  )
  return {
    ...derived,
    ...known,
    played: known.scenario === scenario ? replayed : null,
    warnings: [
      ...derived.warnings,
      ...(reordered.length > 0 ? [{ text: otherOrder, steps: reordered }] : []),
      ...warnings.map((text) => ({ text, steps: [] })),
    ],
  }
}

const otherOrder =
  'The service listed rows with an equal date_marker in another order, which is not documented. {steps} has the newest id first, as a simulator.'
