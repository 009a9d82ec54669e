import type { Exchange } from '../http/exchange.ts'
import { freezeParsed, parseScenario } from '../scenarios/format/check-scenario.ts'
import { isRequestStep, type Scenario } from '../scenarios/format/scenario.ts'
import { countFieldsOfOneSide, isOfOneSide } from '../scenarios/run/differences.ts'
import type { RunResult, StepResult } from '../scenarios/run/result.ts'
import { simulatorFor } from '../scenarios/run/simulator-for.ts'
import { isObject } from '../utils/json.ts'
import { deriveTraffic, type ImportOptions, type TrafficScenario } from './from-traffic.ts'
import { type PlayedScenario, playWhole } from './incident.ts'

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
  const { fitted, ...derived } = await deriveTraffic(exchanges, options)
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
  return {
    ...derived,
    ...known,
    played: known.scenario === scenario ? replayed : null,
    warnings: [...derived.warnings, ...warnings.map((text) => ({ text, steps: [] }))],
  }
}

/**
 * Removes fields that only the recorded service has from the responses that a scenario expects. Responses that differ in
 * anything else stay as they are. The same scenario if there are none.
 *
 * @param replayed the result of the scenario
 * @returns also whether no step differs otherwise, and a sentence for each field
 */
function withoutUnknownFields(scenario: Scenario, replayed: Pick<RunResult, 'steps'>) {
  const steps = replayed.steps.filter(hasUnknownFields)
  const known = steps.length > 0 ? structuredClone(scenario) : scenario
  for (const { step, differences } of steps) {
    for (const { path } of differences) {
      const parent = path.slice(0, -1).reduce<unknown>(memberOf, known.steps[step - 1])
      if (isObject(parent)) delete (parent as Record<string, unknown>)[String(path.at(-1))]
    }
  }
  const warnings = countFieldsOfOneSide(steps)
  return {
    scenario: known,
    isWhole: replayed.steps.every((step) => step.differences.length === 0 || steps.includes(step)),
    warnings: warnings.map((text) => `${text} The scenario does not expect it.`),
  }
}

/** Whether a response lacks recorded fields, and nothing else. The fields of a source are the files of a plugin. */
function hasUnknownFields({ request, differences }: StepResult): boolean {
  if (/source\/(?:\?|$)/.test(request?.url ?? '')) return false
  return (
    differences.length > 0 &&
    differences.every((difference) => isOfOneSide(difference) && difference.got === undefined)
  )
}

function memberOf(value: unknown, name: string | number): unknown {
  return Object(value)[name]
}
