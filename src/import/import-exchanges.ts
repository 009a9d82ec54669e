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
 * that only the service has.
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
  const { warnings, ...known } = withoutUnknownFields(scenario, replayed.result, derived.hidden)
  return {
    ...derived,
    ...known,
    found,
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
function withoutUnknownFields(
  scenario: Scenario,
  replayed: Pick<RunResult, 'steps'>,
  hidden: ReadonlySet<string>,
) {
  const steps = replayed.steps.filter((step) => hasUnknownFields(step, hidden))
  const known = steps.length > 0 ? structuredClone(scenario) : scenario
  for (const { step, differences } of steps) {
    for (const { path } of differences) {
      const parent = path.slice(0, -1).reduce<unknown>(memberOf, known.steps[step - 1])
      if (isObject(parent)) delete (parent as Record<string, unknown>)[String(path.at(-1))]
    }
    if (differences.some(({ expected }) => expected === undefined)) expectPart(known, step - 1)
  }
  const warnings = countFieldsOfOneSide(steps.filter((step) => hasUnknownFields(step)))
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

/**
 * Whether a response lacks recorded fields, and nothing else. The fields of a source are the files of a plugin.
 *
 * @param hidden the fields that the recording lacks, because their values were hidden
 */
function hasUnknownFields(
  { request, differences }: StepResult,
  hidden: ReadonlySet<string> = new Set(),
): boolean {
  if (/source\/(?:\?|$)/.test(request?.url ?? '')) return false
  const isHidden = ({ path }: StepResult['differences'][number]): boolean =>
    path.includes('created_by') || hidden.has(String(path.at(-1)))
  return (
    differences.length > 0 &&
    differences.every(
      (difference) =>
        isOfOneSide(difference) &&
        (difference.got === undefined || (hidden.size > 0 && isHidden(difference))),
    )
  )
}

function memberOf(value: unknown, name: string | number): unknown {
  return Object(value)[name]
}
