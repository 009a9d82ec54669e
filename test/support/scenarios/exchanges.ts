import { expect } from 'vitest'
import {
  type Exchange,
  type Recording,
  type RecordOptions,
  type RequestStep,
  type RunResult,
  recordingOf,
  type Scenario,
  type Simulator,
  type Step,
} from '../../../src/index.ts'
import type { RecorderOptions } from '../../../src/scenarios/recording/recorder.ts'
import { scenarioIssues } from './issues.ts'

/** What a request and its answer were, as short as a test can say it. */
interface ExchangeInput {
  readonly method?: string
  readonly url?: string
  /** The key in the authorization header */
  readonly bearer?: string
  readonly sent?: unknown
  readonly status?: number
  readonly received?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The base URL of the exchanges. */
export const exampleOrigin = 'https://api.example.com'

/** A request and its response, both with JSON bodies. */
export function createExchange({
  method = 'GET',
  url = '/api/projects/1/annotations/',
  bearer,
  sent,
  status = 200,
  received,
  headers = {},
}: ExchangeInput): Exchange {
  const body = (value: unknown) => (value === undefined ? null : { text: JSON.stringify(value) })
  return {
    at: '2024-06-15T12:00:00.000Z',
    ms: 2,
    method,
    url: `${exampleOrigin}${url}`,
    request: {
      headers: [
        ...(bearer === undefined ? [] : [['authorization', `Bearer ${bearer}`] as const]),
        ...(sent === undefined ? [] : [['content-type', 'application/json'] as const]),
        ...Object.entries(headers),
      ],
      body: body(sent),
    },
    response: { status, headers: [['content-type', 'application/json']], body: body(received) },
  }
}

/** Records exchanges, and checks that the scenario is valid. */
export function recordExchanges(
  exchanges: readonly ExchangeInput[],
  options: RecorderOptions = {},
): Recording {
  const recording = recordingOf(exchanges.map(createExchange), options)
  expect(scenarioIssues(recording.scenario)).toEqual([])
  return recording
}

/** Records exchanges, and returns the steps. */
export function recordSteps(
  exchanges: readonly ExchangeInput[],
  options: RecorderOptions = {},
): readonly RequestStep[] {
  return recordExchanges(exchanges, options).scenario.steps as RequestStep[]
}

/** Shows requests by their method and path, and changes as they are. */
export function summarizeSteps({ steps }: Scenario): unknown[] {
  return steps.map((step: Step) => ('method' in step ? `${step.method} ${step.path}` : step))
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
