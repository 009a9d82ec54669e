import { alter } from '../scenarios/alter.ts'
import { ask } from '../scenarios/ask.ts'
import { refused } from '../scenarios/check.ts'
import { keyFaults } from '../scenarios/check-keys.ts'
import { hereTarget } from '../scenarios/here-target.ts'
import type { StepDifference } from '../scenarios/result.ts'
import { isRequest, type Scenario } from '../scenarios/scenario.ts'
import { shownPair } from '../scenarios/shown-pair.ts'
import type { Heard, Target } from '../scenarios/target.ts'
import type { Simulator } from '../simulator.ts'
import { pathText } from '../world/faults.ts'
import { complete } from './complete.ts'
import { maker } from './make.ts'

/** Where the API begins while a recording is completed; its address in answers makes way for that of the caller. */
export const placeholder = 'http://recording.invalid'

/** A recording with every answer whole. */
export interface Tape {
  /** By the position of the step */
  readonly answers: ReadonlyMap<number, Heard>
  /** What the steps have saved */
  readonly saved: ReadonlyMap<string, unknown>
  /** The labels of keys by their values, those included that steps have added */
  readonly labels: ReadonlyMap<string, string>
}

/**
 * Completes a recording: plays it from beginning to end in a world of its own, which fills what its answers leave
 * open. Recorded values win, and what is saved is saved from the completed answers.
 *
 * @param stage a fresh simulator in the world of the scenario
 * @throws UsageError for an answer that cannot be sent, or a change that cannot be made
 */
export async function completeRecording(scenario: Scenario, stage: Simulator): Promise<Tape> {
  const target = await hereTarget(stage, placeholder)
  const unknown = keyFaults(scenario.steps, (label) => target.key(label) !== undefined)
  if (unknown.length > 0) throw refused(unknown)
  const saved = new Map<string, unknown>([['base_url', placeholder]])
  const answers = new Map<number, Heard>()
  const labels = new Map<string, string>()
  const noteKeys = (): void => {
    for (const { value, label } of stage.keys.list()) labels.set(value, label)
  }
  noteKeys()
  const make = maker(scenario.seed ?? 1, () => stage.clock.iso())
  for (const [index, step] of scenario.steps.entries()) {
    const { differences } = isRequest(step)
      ? await ask(step, completing(index), saved)
      : await alter(step, target, saved)
    if (!isRequest(step)) noteKeys()
    // What comes after depends on it.
    if (differences.length > 0) throw refused(differences.map((one) => faultOf(one, index)))
  }
  return { answers, saved, labels }

  function completing(index: number): Target {
    const step = scenario.steps[index]
    const expected = step && isRequest(step) ? step.expect : undefined
    return {
      ...target,
      async send(sent) {
        const answer = complete(expected, await target.send(sent), saved, make)
        answers.set(index, answer)
        return answer
      },
    }
  }
}

function faultOf(difference: StepDifference, index: number): string {
  const { expected, got } = shownPair(difference)
  return `steps[${index}].${pathText(difference.path)}: expected ${expected}, got ${got}`
}
