import { expect } from 'vitest'
import {
  type Recording,
  type RecordOptions,
  type RequestStep,
  type RunResult,
  recordingOf,
  type Scenario,
  type Simulator,
} from '../../../src/index.ts'
import type { RecorderOptions } from '../../../src/scenarios/recording/recorder.ts'
import { createExchange, type TrafficInput } from '../traffic.ts'
import { scenarioIssues } from './story.ts'

/** Records exchanges, and checks that the scenario is valid. */
export function recordExchanges(
  exchanges: readonly TrafficInput[],
  options: RecorderOptions = {},
): Recording {
  const recording = recordingOf(
    exchanges.map((input) => createExchange(input)),
    options,
  )
  expect(scenarioIssues(recording.scenario)).toEqual([])
  return recording
}

/** Records exchanges, and returns the steps. */
export function recordSteps(
  exchanges: readonly TrafficInput[],
  options: RecorderOptions = {},
): readonly RequestStep[] {
  return recordExchanges(exchanges, options).scenario.steps as RequestStep[]
}

/** Shows requests by their method and path, and changes as they are. */
export function summarizeSteps({ steps }: Scenario): unknown[] {
  return steps.map((step) => ('method' in step ? `${step.method} ${step.path}` : step))
}

/** The differences of all steps that failed. */
export function stepDifferences({ steps }: RunResult): unknown[] {
  return steps.filter(({ outcome }) => outcome !== 'passed').map(({ differences }) => differences)
}

/** Records a simulator without a warning, and replays the recording without a difference. @param from the world, if it has none */
export async function recordAndReplay(
  simulator: Simulator,
  from: Partial<Scenario> = {},
  options: RecordOptions = {},
): Promise<Scenario> {
  const { scenario, warnings } = simulator.record(options)
  expect(warnings).toEqual([])
  expect(scenarioIssues(scenario)).toEqual([])
  expect(stepDifferences(await simulator.run({ ...scenario, ...from }))).toEqual([])
  return scenario
}
