import type { SimulatorBase } from '../../sandbox/simulator-base.ts'
import { formatIssuePath } from '../../utils/schema-issues.ts'
import { findKeyIssues, type ParsedScenario, replayError } from '../format/check-scenario.ts'
import { isRequestStep, type RequestStep } from '../format/scenario.ts'
import { applyChange, sendRequest } from '../run/execute-step.ts'
import type { StepDifference } from '../run/result.ts'
import { formatDifference } from '../run/result.ts'
import { createLocalTarget } from '../run/simulator-target.ts'
import type { ReceivedResponse, Target } from '../run/target.ts'
import { completeResponse, placeholderFactory } from './complete-response.ts'

/** The base URL while a recording is completed. In responses it is replaced by that of the client. */
export const placeholderOrigin = 'http://recording.invalid'

/** A recording with complete responses. */
export interface CompletedRecording {
  /** By the index of the step */
  readonly responses: ReadonlyMap<number, ReceivedResponse>
  /** The values that the steps saved, by name */
  readonly saved: ReadonlyMap<string, unknown>
  /** The labels of keys by their values, including keys that steps added */
  readonly labels: ReadonlyMap<string, string>
}

/**
 * Completes the responses of a recording by running it in a simulator. Recorded values take precedence over simulated
 * ones. Saved values come from the completed responses.
 *
 * @param simulator in the initial state of the scenario. It is used for nothing else
 * @throws UsageError for a response that cannot be completed, or an invalid change
 */
export async function completeRecording(
  scenario: ParsedScenario,
  simulator: SimulatorBase,
): Promise<CompletedRecording> {
  const target = await createLocalTarget(simulator, placeholderOrigin)
  const issues = findKeyIssues(scenario.steps, (label) => target.key(label) !== undefined)
  if (issues.length > 0) throw replayError(issues)
  const saved = new Map<string, unknown>([['base_url', placeholderOrigin]])
  const responses = new Map<number, ReceivedResponse>()
  const labels = new Map<string, string>()
  const collectLabels = (): void => {
    for (const { value, label } of simulator.keys.list()) labels.set(value, label)
  }
  collectLabels()
  const createPlaceholder = placeholderFactory(scenario.seed ?? 1, () => simulator.clock.iso())
  for (const [index, step] of scenario.steps.entries()) {
    const completingTarget: Target = {
      ...target,
      async send(sent) {
        const { expect } = step as RequestStep
        const simulated = await target.send(sent)
        const response = completeResponse(expect, simulated, saved, createPlaceholder)
        responses.set(index, response)
        return response
      },
    }
    const { differences } = isRequestStep(step)
      ? await sendRequest(step, completingTarget, saved)
      : await applyChange(step, target, saved)
    if (!isRequestStep(step)) collectLabels()
    // Later steps depend on this one.
    if (differences.length > 0) {
      throw replayError(differences.map((difference) => formatIssue(difference, index)))
    }
  }
  return { responses, saved, labels }
}

function formatIssue(difference: StepDifference, index: number): string {
  const { expected, got } = formatDifference(difference)
  return `steps[${index}].${formatIssuePath(difference.path)}: expected ${expected}, got ${got}`
}
