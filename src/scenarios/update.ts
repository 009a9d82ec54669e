import { parseTextBody } from './compare.ts'
import { replaceInJson } from './json-text.ts'
import { toLiteral } from './literal.ts'
import type { ReplayResult, StepDifference, StepResult } from './result.ts'
import type { Scenario } from './scenario.ts'

type ScenarioPath = readonly (string | number)[]

/**
 * The text of a scenario with what was answered in place of what was expected, wherever they differ; matchers that
 * hold, the order of fields, and how it is written stay.
 *
 * @param text of the scenario that was replayed
 */
export function updateExpectations(text: string, { steps }: ReplayResult): string {
  const scenario = JSON.parse(text.replace(/^\uFEFF/, '')) as Scenario
  let now = text
  for (const step of steps) {
    for (const difference of step.differences) {
      if (difference.path[0] !== 'expect') continue
      const path = acceptResponse(scenario, step, difference)
      now = replaceInJson(now, path, getAtPath(scenario, path))
    }
  }
  return now
}

/** Accepts an answer. @returns the place whose value is another one now */
function acceptResponse(
  scenario: Scenario,
  { step, answer }: StepResult,
  difference: StepDifference,
): ScenarioPath {
  const base = ['steps', step - 1, 'expect']
  if (difference.path[1] === 'broken') {
    const { status = 0, text = '' } = answer ?? {}
    const body = parseTextBody(text)
    const whole =
      status === 0
        ? { broken: true }
        : { status, ...(body !== undefined && { body: toLiteral(body) }) }
    ;(getAtPath(scenario, base.slice(0, 2)) as Record<string, unknown>).expect = whole
    return base
  }
  const path = [...base, ...difference.path.slice(1)]
  const name = path.at(-1) as string
  const parentPath = path.slice(0, -1)
  const parent = getAtPath(scenario, parentPath) as Record<string, unknown>
  const { got } = difference
  const isThere = Object.hasOwn(parent, name)
  if (got !== undefined) parent[name] = toLiteral(got)
  else if (difference.path[1] === 'headers') parent[name] = null
  else if (parentPath.length === base.length) parent[name] = { $match: 'absent' }
  else delete parent[name]
  return isThere && parent[name] !== undefined ? path : parentPath
}

function getAtPath(value: unknown, path: ScenarioPath): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], value)
}
