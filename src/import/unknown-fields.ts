import type { Scenario } from '../scenarios/format/scenario.ts'
import { countFieldsOfOneSide, isOfOneSide } from '../scenarios/run/differences.ts'
import type { RunResult, StepResult } from '../scenarios/run/result.ts'
import { isObject } from '../utils/json.ts'

/**
 * Removes fields that only the recorded service has from the responses that a scenario expects. Responses that differ in
 * anything else stay as they are. The same scenario if there are none.
 *
 * @param replayed the result of the scenario
 * @returns also whether no step differs otherwise, and a sentence for each field
 */
export function withoutUnknownFields(
  scenario: Scenario,
  replayed: Pick<RunResult, 'steps'>,
): {
  readonly scenario: Scenario
  readonly isWhole: boolean
  readonly warnings: readonly string[]
} {
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
