import type { SimulatorBase } from '../../sandbox/simulator-base.ts'
import { formatIssuePath } from '../../utils/schema-issues.ts'
import { findKeyIssues, type ParsedScenario, replayError } from '../format/check-scenario.ts'
import { isRequestStep } from '../format/scenario.ts'
import { applyChange, sendRequest } from '../run/execute-step.ts'
import { formatDifference } from '../run/report.ts'
import type { StepDifference } from '../run/result.ts'
import { createLocalTarget } from '../run/simulator-target.ts'
import type { ReceivedResponse, Target } from '../run/target.ts'
import { completeResponse, placeholderFactory } from './complete-response.ts'

/** Where the API begins while a recording is completed; its address in answers makes way for that of the caller. */
export const placeholderOrigin = 'http://recording.invalid'

/** A recording with every answer whole. */
export interface CompletedRecording {
  /** By the position of the step */
  readonly responses: ReadonlyMap<number, ReceivedResponse>
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
export async function completeRecording(
  scenario: ParsedScenario,
  stage: SimulatorBase,
): Promise<CompletedRecording> {
  const target = await createLocalTarget(stage, placeholderOrigin)
  const unknown = findKeyIssues(scenario.steps, (label) => target.key(label) !== undefined)
  if (unknown.length > 0) throw replayError(unknown)
  const saved = new Map<string, unknown>([['base_url', placeholderOrigin]])
  const answers = new Map<number, ReceivedResponse>()
  const labels = new Map<string, string>()
  const noteKeys = (): void => {
    for (const { value, label } of stage.keys.list()) labels.set(value, label)
  }
  noteKeys()
  const make = placeholderFactory(scenario.seed ?? 1, () => stage.clock.iso())
  for (const [index, step] of scenario.steps.entries()) {
    const { differences } = isRequestStep(step)
      ? await sendRequest(step, completing(index), saved)
      : await applyChange(step, target, saved)
    if (!isRequestStep(step)) noteKeys()
    // What comes after depends on it.
    if (differences.length > 0) throw replayError(differences.map((one) => formatIssue(one, index)))
  }
  return { responses: answers, saved, labels }

  function completing(index: number): Target {
    const step = scenario.steps[index]
    const expected = step && isRequestStep(step) ? step.expect : undefined
    return {
      ...target,
      async send(sent) {
        const answer = completeResponse(expected, await target.send(sent), saved, make)
        answers.set(index, answer)
        return answer
      },
    }
  }
}

function formatIssue(difference: StepDifference, index: number): string {
  const { expected, got } = formatDifference(difference)
  return `steps[${index}].${formatIssuePath(difference.path)}: expected ${expected}, got ${got}`
}
