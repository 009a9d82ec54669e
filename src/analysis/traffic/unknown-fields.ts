import type { Scenario } from '../../scenarios/format/scenario.ts'
import { fieldOfOneSide } from '../../scenarios/run/differences.ts'
import type { ReplayResult } from '../../scenarios/run/result.ts'
import { formatCount } from '../../utils/count.ts'
import { isObject } from '../../utils/json.ts'

/**
 * Removes fields that only the recorded service has from the responses that a scenario expects. Responses that differ in
 * anything else stay as they are.
 *
 * @param replayed the result of the scenario
 * @returns also a sentence for each field
 */
export function withoutUnknownFields(
  scenario: Scenario,
  replayed: ReplayResult,
): { readonly scenario: Scenario; readonly warnings: readonly string[] } {
  const known = structuredClone(scenario)
  const counts = new Map<string, number>()
  for (const { step, differences } of replayed.steps) {
    const isUnknown = differences.every(
      (each) => fieldOfOneSide(each) !== null && each.got === undefined && isNamed(each.path),
    )
    if (!isUnknown) continue
    for (const { path } of differences) {
      const parent = path.slice(0, -1).reduce<unknown>(memberOf, known.steps[step - 1])
      if (isObject(parent)) delete (parent as Record<string, unknown>)[String(path.at(-1))]
    }
    for (const name of new Set(differences.map(fieldOfOneSide))) {
      counts.set(String(name), (counts.get(String(name)) ?? 0) + 1)
    }
  }
  const warnings = [...counts].map(
    ([name, count]) =>
      `Only the recorded service has the field ${name}. ${formatCount(count, 'step')} ${count === 1 ? 'does' : 'do'} not expect it.`,
  )
  return { scenario: known, warnings }
}

/** Whether a path leads to a field, and not to an item of a list. */
function isNamed(path: readonly (string | number)[]): boolean {
  return typeof path.at(-1) === 'string'
}

function memberOf(value: unknown, name: string | number): unknown {
  return Object(value)[name]
}
