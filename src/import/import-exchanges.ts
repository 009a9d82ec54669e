import type { FoundSettings } from '../fit/settings-of-traffic.ts'
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
  /** The settings that the responses show. Null if there are none */
  readonly found: FoundSettings | null
  /** Whether it replays as recorded */
  readonly isWhole: boolean
  /** The result of its replay. Null if the scenario was changed after it */
  readonly played: PlayedScenario | null
}

/**
 * Makes a scenario of requests and responses, with the world and the settings that they show. It does not expect fields
 * that only the service or only a simulator has.
 */
export async function importExchanges(
  exchanges: readonly Exchange[],
  options: ImportOptions,
): Promise<ImportedScenario> {
  const { fitted, ...derived } = await deriveTraffic(exchanges, options)
  const { steps, ...head } = derived.scenario
  if (!steps.some(isRequestStep)) return { ...derived, found: null, isWhole: true, played: null }
  const found = await fitted()
  const { profile, settings } = found
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
    found,
    played: known.scenario === scenario ? replayed : null,
    warnings: [...derived.warnings, ...warnings.map((text) => ({ text, steps: [] }))],
  }
}

/**
 * Lets a scenario expect the fields alone that the recorded service and a simulator both have. Responses that differ in
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
    if (differences.some(({ expected }) => expected === undefined)) expectPart(known, step - 1)
  }
  const warnings = countFieldsOfOneSide(steps)
  return {
    scenario: known,
    isWhole: replayed.steps.every((step) => step.differences.length === 0 || steps.includes(step)),
    warnings: warnings.map((text) => `${text} The scenario does not expect it.`),
  }
}

/** Lets a step expect a part of a body. Changes the scenario in place. */
function expectPart({ steps }: Scenario, at: number): void {
  const { expect } = steps[at] as { expect: { exact_body?: unknown; body?: unknown } }
  if (expect.exact_body === undefined) return
  expect.body = expect.exact_body
  delete expect.exact_body
}

/** Whether a response has more or fewer fields than the recorded one, and nothing else differs. The fields of a source are the files of a plugin. */
function hasUnknownFields({ request, differences }: StepResult): boolean {
  const isOfSource = /source\/(?:\?|$)/.test(request?.url ?? '')
  // Where each side has fields of its own, the body is another one.
  const sides = new Set(differences.map(({ got }) => got === undefined))
  return !isOfSource && sides.size === 1 && differences.every(isOfOneSide)
}

function memberOf(value: unknown, name: string | number): unknown {
  return Object(value)[name]
}
