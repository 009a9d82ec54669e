import type { Scenario, Step } from '../../scenarios/scenario.ts'

/** A scenario as a file, step by step. */
export function* serializeScenario(
  head: Omit<Scenario, 'steps'>,
  steps: Iterable<Step>,
): Generator<string> {
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "steps": [`
  let before = '\n'
  for (const step of steps) {
    yield `${before}${JSON.stringify(step, null, 2).replace(/^/gm, '    ')}`
    before = ',\n'
  }
  yield '\n  ]\n}\n'
}
